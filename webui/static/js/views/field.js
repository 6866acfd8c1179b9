// One field: what lies there, its moves, and what the reader thinks, so that a correction takes two touches.

import { fieldsOf } from "../board/geometry.js";
import { h } from "../dom.js";
import { set, store } from "../store.js";
import { correct } from "../table.js";
import { said, thing, token, word } from "../words.js";
import { moveButton, movesAt } from "./moves.js";
import { describe, iconButton, lying } from "./parts.js";

export function fieldPanel({ preview }) {
  const wrong = store.table.status.name === "out_of_step"; // then what is read matters more than what may be done
  const field = store.field, moves = store.at === null ? movesAt(field) : [];
  return h("section", { class: "card field-panel", "aria-label": token(field) },
    h("div", { class: "title-row" }, h("h2", { class: "big" }, wrong ? token(field) : describe(field), wrong ? h("span", { class: "quiet small" }, word("field.record", lying(field))) : null), iconButton("close", word("field.close"), () => set({ field: null }))),
    lineInsight(field),
    wrong ? reading(field) : null,
    moves.length ? [h("h2", {}, word("moves.here")), h("div", { class: "list wrap" }, moves.slice(0, 60).map((move) => moveButton(move, preview)))] : wrong ? null : h("p", { class: "quiet small" }, word("moves.none-here")),
    wrong ? null : reading(field));
}

function lineInsight(field) {
  const line = store.moment.insights?.lines?.find?.((each) => each.line === field);
  return line ? h("p", { class: "why" }, said(line.why)) : null;
}

/** The places of the reading that concern a field, most telling first. */
function readingsOf(field) {
  const places = store.observation?.places ?? {};
  return Object.keys(places).filter((place) => fieldsOf(place).includes(field)).sort((a, b) => a.length - b.length).slice(0, 3);
}

function reading(field) {
  if (!store.observation || store.at !== null) return null;
  const places = readingsOf(field);
  if (!places.length) return h("p", { class: "quiet small" }, word("field.no-reading"));
  return h("div", { class: "reading" }, h("h2", {}, word("field.reader")), h("p", { class: "quiet small" }, word("field.correct")),
    places.map((place) => [places.length > 1 ? h("h3", { class: "small quiet" }, token(place)) : null, unseen(place), h("div", { class: "list" }, alternatives(place).map((each) => alternative(place, each)))]),
    other(places[0]));
}

function unseen(place) {
  const why = store.observation.unseen?.[place];
  return why ? h("p", { class: "small" }, `${word("field.unseen")}: ${said(why)}`) : null;
}

/** As the reader ranked them; "nothing" is always among them. */
function alternatives(place) {
  const ranked = store.observation.places[place] ?? [];
  return ranked.some((each) => each.thing === null) ? ranked : [...ranked, { thing: null, probability: 0 }];
}

function alternative(place, { thing: what, probability }) {
  return h("button", { type: "button", class: "move alternative", "data-key": `is-${place}-${thing(what)}`, onclick: () => correct(place, bare(what)) },
    h("span", {}, `${word("field.is")} ${thing(what)}`), h("span", { class: "share", "aria-hidden": "true" }, h("span", { vars: { "--share": `${probability * 100}%` } })), h("span", { class: "quiet number" }, `${Math.round(probability * 100)} %`));
}

const bare = (what) => (what ? Object.fromEntries(Object.entries(what).filter(([key]) => key !== "words")) : null);

/** Anything that the board's pieces allow there. */
function other(place) {
  const field = store.board.fields.get(fieldsOf(place)[0]);
  const kinds = Object.entries(store.board.pieces).filter(([, piece]) => piece.on.includes(field?.kind) || piece.on.includes(field?.id));
  const things = kinds.flatMap(([kind, piece]) => piece.colours.flatMap((colour) => (piece.values ?? [undefined]).map((value) => ({ kind, colour, ...(value ? { value } : {}) }))));
  return h("details", { class: "other", "data-key": "other" }, h("summary", {}, word("field.other")),
    h("div", { class: "chips" }, things.map((each) => h("button", { type: "button", class: "chip", onclick: () => correct(place, each) }, thing(each)))));
}
