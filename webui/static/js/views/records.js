// The record table of Rolling Rocks: who got how far with how many wheels.

import { h } from "../dom.js";
import { store } from "../store.js";
import { date, player, said, word } from "../words.js";
import { stone } from "./parts.js";

const COLUMNS = ["records.date", "records.players", "fact.gates", "fact.used", "fact.course"];
const SHOWN = 10;

/** null as long as no game was played to its end. */
export function records() {
  const { table, records: all } = store;
  if (!all?.length) return null;
  return h("details", { class: "records", "data-key": "records", open: table.moment.is_over }, h("summary", {}, word("fact.records")),
    h("table", { class: "small" },
      h("thead", {}, h("tr", {}, COLUMNS.map((key) => h("th", { scope: "col" }, word(key))))),
      h("tbody", {}, all.slice(0, SHOWN).map((game) => row(game, game.id === table.id)))));
}

function row(game, isHere) {
  const players = h("span", { class: "totals", role: "img", "aria-label": game.players.map(player).join(", ") }, game.players.map(stone));
  return h("tr", { class: isHere ? "here" : "" }, h("td", {}, date(game.closed)), h("td", {}, players), h("td", { class: "number" }, `${game.gates} / 5`), h("td", { class: "number" }, String(game.wheels)), h("td", {}, said(game.course)));
}
