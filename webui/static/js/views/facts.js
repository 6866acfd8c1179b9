// What each game lays open beside its board: supplies, projects, arguments, wheels, lives; per player, and for
// the whole table.

import { h } from "../dom.js";
import { store } from "../store.js";
import { said, token, word } from "../words.js";
import { ringColour, stone, tokenParts } from "./parts.js";

/** [label, content] pairs that stand in a player's row. */
export function playerFacts(p) {
  const { insights, state } = store.moment;
  return (PLAYER[store.table.game]?.(p, insights ?? {}, state) ?? []).filter(([, content]) => content !== null);
}

/** One line for the whole table; null where a game has nothing to add. */
export function tableFacts() {
  const { insights, state } = store.moment;
  const facts = (TABLE[store.table.game]?.(insights ?? {}, state) ?? []).filter(([, content]) => content !== null);
  return facts.length ? h("dl", { class: "facts", tabindex: "0" }, facts.map(([label, content]) => h("div", {}, h("dt", {}, word(label)), h("dd", {}, content)))) : null;
}

const card = (name) => h("span", { class: "card-chip" }, name === null ? "–" : tokenParts(name, store.board));
const cards = (names) => (names.length ? names.map(card) : "–");
/** How many seats a faction still lacks. */
const lacking = (faction, colours, insights) => h("span", { class: "counted" }, colours.map(stone), h("span", { class: "unseen" }, word(`fact.${faction}`)), h("b", { class: "number" }, String(insights.to_win[faction])));
const counted = (colour, n) => h("span", { class: "counted" }, stone(colour), h("b", { class: "number" }, String(n)));

/** A hand as far as everybody may know it: known cards, and how many others. */
function hand(list) {
  const known = list.filter((each) => !each.startsWith("??"));
  const hidden = list.length - known.length;
  return [known.map(card), hidden ? h("span", { class: "number" }, `${known.length ? "+ " : ""}${hidden} ?`) : null];
}

const PLAYER = {
  stonehenge: (p, insights) => [["fact.stones", insights.supply?.[p]?.map((value) => h("span", { class: `stone ${p}` }, String(value))) ?? null]],
  build(p, insights, state) {
    const seat = state.seats?.[p], project = insights.projects?.find((each) => each.player === p);
    if (!seat) return [];
    return [
      ["fact.project", project ? [card(project.card), project.site ? `→ ${token(project.site)}` : null, project.steps > 1 ? h("span", { class: "quiet" }, word("fact.steps", project.steps)) : null] : null],
      ["fact.hand", hand(seat.hand)],
      ["fact.influence", seat.influence?.length ? cards(seat.influence) : null],
      ["fact.ritual", seat.rituals ? String(seat.rituals) : null],
    ];
  },
  council: (p, insights) => [["fact.arguments", Object.entries(insights.arguments?.[p] ?? {}).filter(([, n]) => n).map(([colour, n]) => counted(colour, n))]].map(([label, list]) => [label, list.length ? list : "–"]),
  rolling(p, insights) {
    const wheels = insights.wheels?.[p];
    return wheels ? [["fact.wheels", [counted(p, wheels.own), h("span", { class: "number" }, `+ ${wheels.neutral}`)]], ["fact.out", String(wheels.out)]] : [];
  },
  ramming(p, insights) {
    const own = insights.triliths?.find((each) => each.player === p);
    if (!own) return [];
    return [["fact.points", h("b", { class: "number" }, String(own.points))], ["fact.lives", String(own.lives)], ["fact.place", own.fields.length ? token(own.fields.join("+")) : own.racing ? word("fact.not-yet") : "–"]];
  },
  roulette(p, insights) {
    const held = insights.hands?.[p];
    return held && typeof held === "object" ? Object.entries(held).filter(([, value]) => typeof value === "number").map(([key, value]) => [`fact.${key}`, String(value)]) : [];
  },
};

const TABLE = {
  build: (insights, state) => [["fact.display", Array.isArray(state.display) ? cards(state.display) : null], ["fact.pile", pile(state.pile?.shuffled)]],
  council: (insights) => [["fact.bank", Object.entries(insights.bank ?? {}).map(([colour, n]) => counted(colour, n))], ["fact.to-win", insights.to_win ? [lacking("pro", ["white", "yellow"], insights), lacking("contra", ["red", "blue"], insights)] : null]],
  rolling: (insights) => [["fact.gates", (insights.gates ?? []).map((gate) => h("span", { class: "counted" }, h("span", { class: "number quiet" }, String(gate.gate)), gate.scored_by ? stone(gate.scored_by) : "–"))], ["fact.wheels-left", String(insights.wheels_left ?? "–")], ["fact.used", String(insights.wheels_used ?? 0)], ["fact.course", insights.course ? said(insights.course) : null]],
  ramming: (insights) => [
    ["fact.display", insights.display?.length ? slots(insights.display) : null],
    ["fact.hearts", insights.hearts?.length ? insights.hearts.map(stone) : null],
    ["fact.attempt", insights.attempt ? [insights.attempt.needed.map((colour, i) => h("span", { class: i < insights.attempt.right ? "found" : "" }, stone(colour))), h("span", { class: "number quiet" }, word("fact.right", insights.attempt.right, insights.attempt.needed.length))] : null],
  ],
  roulette: (insights) => [["fact.ball", insights.ball ? `${token(insights.ball)}, ${token(insights.facing)}` : null], ["fact.passes", insights.passes_left === undefined ? null : String(insights.passes_left)], ["fact.pile", pile(insights.pile)]],
};

const pile = (count) => (typeof count === "number" ? String(count) : null);

/** The places of the display in a row: the card where everybody has seen it, dimmed where it lies face down again. */
function slots(display) {
  return h("ol", { class: "slots" }, display.map(({ place, card: name, face }) => {
    const known = name && !name.startsWith("??");
    return h("li", { class: `slot ${known ? ringColour(store.board, parseInt(name, 10)) : ""} ${face}`, title: `${token(place)}: ${known ? token(name) : "?"}` }, h("span", { class: "small quiet" }, place.split("-")[1]), known ? cardNumber(name) : "?");
  }));
}

const cardNumber = (name) => (name.startsWith("trilith") ? "π" : name.split("-")[0]);
