// The board in words, for those who do not see the picture; and the list of ley lines.

import { h } from "../dom.js";
import { placeName } from "../board/geometry.js";
import { store } from "../store.js";
import { player, said, thing, token, word } from "../words.js";

export function textPanel() {
  const { pieces } = store.moment.position;
  return h("div", { class: "text-board" }, h("h2", {}, word("text.title")),
    pieces.length ? [h("dl", {}, byPlace(pieces)), h("p", { class: "quiet small" }, word("text.rest"))] : h("p", {}, word("text.empty")),
    lines(), council());
}

function byPlace(pieces) {
  const order = [...store.board.fields.keys()];
  const places = new Map();
  for (const piece of pieces) {
    const name = placeName(piece);
    places.set(name, [...(places.get(name) ?? []), thing(piece)]);
  }
  return [...places.entries()].sort(([a], [b]) => order.indexOf(a.split("+")[0].replace("^", "")) - order.indexOf(b.split("+")[0].replace("^", "")))
    .map(([place, things]) => [h("dt", {}, token(place)), h("dd", {}, things.join(", "))]);
}

function lines() {
  const all = store.moment.insights?.lines;
  if (!Array.isArray(all)) return null;
  return h("section", { class: "lines" }, h("h2", {}, word("lines")), h("ul", {}, all.map((line) => h("li", { class: line.status },
    h("b", {}, token(line.line)), h("span", { class: "tag" }, `${word(`lines.${line.status}`)}${line.claimed_by ? ` · ${player(line.claimed_by)}` : ""}`), h("span", { class: "small" }, said(line.why))))));
}

/** The council's blocks, the longest first, and what it costs to persuade whom. */
function council() {
  const { blocks, persuasions } = store.moment.insights ?? {};
  if (!blocks) return null;
  const faction = (each) => word(`fact.${each.faction}`);
  const ends = ({ fields }) => (fields.length > 1 ? `${token(fields[0])} – ${token(fields.at(-1))}` : token(fields[0]));
  return h("section", {}, h("h2", {}, word("text.blocks")),
    h("dl", {}, [...blocks].sort((a, b) => b.size - a.size).map((each) => [h("dt", {}, ends(each)), h("dd", {}, `${faction(each)}: ${each.size}`)])),
    persuasions.length ? [h("h2", {}, word("text.persuasions")), h("dl", {}, persuasions.map((each) => [h("dt", {}, `${token(each.from)} → ${token(each.to)}`), h("dd", {}, word("text.cost", each.cost, each.argument === "any" ? "" : player(each.argument)))]))] : null);
}
