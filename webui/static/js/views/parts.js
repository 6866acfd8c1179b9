// Small parts that several panels use.

import { letterOf } from "../board/colours.js";
import { fieldsOf, placeName } from "../board/geometry.js";
import { h, icon } from "../dom.js";
import { store } from "../store.js";
import { player, thing, token, word } from "../words.js";

/** A player's stone: colour, outline pattern and letter. */
export function stone(colour) {
  return h("span", { class: `stone ${colour}`, "aria-hidden": "true" }, colour === "chance" ? "?" : letterOf(colour, store.language));
}

export function playerName(colour) {
  return h("span", { class: "player" }, stone(colour), player(colour));
}

/** A button with a line icon; its words are its name for those who cannot see it. */
export function iconButton(name, label, onclick, more = {}) {
  return h("button", { type: "button", class: "bare", title: label, "aria-label": label, "data-key": `icon-${name}`, onclick, ...more }, icon(name));
}

const CARD = /^(\d+)-(day|night)$/;

/** A token of the table as a person would draw it on a scrap of paper: a card, a stone, a field's name. */
export function tokenParts(value, board) {
  const text = String(value);
  if (text.includes("+")) return text.split("+").flatMap((part, i) => [i ? h("span", { class: "quiet" }, "+") : null, ...tokenParts(part, board)]);
  const card = CARD.exec(text);
  if (card) return [h("span", { class: `card-strip ${ringColour(board, Number(card[1]))}`, "aria-hidden": "true" }), `${card[1]} ${card[2] === "day" ? "☀" : "☾"}`, h("span", { class: "unseen" }, token(card[2]))];
  if (["white", "blue", "green", "yellow", "red", "grey", "black", "brown"].includes(text)) return [stone(text), player(text)];
  return [["null", "false", ""].includes(text) ? word("param.none") : token(text)];
}

export function ringColour(board, number) {
  return board?.fields.get(`ring-${number}`)?.colour ?? "";
}

/** A field with what lies on it, in words. */
export const describe = (field) => `${token(field)}: ${lying(field)}`;

export function lying(field) {
  const things = (store.moment?.position.pieces ?? []).filter((piece) => fieldsOf(placeName(piece)).includes(field)).map(thing);
  return things.length ? things.join(", ") : word("field.empty");
}
