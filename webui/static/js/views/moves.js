// The legal moves, grouped as players think: a heading, then one choice after the other, here or on the board.

import { h } from "../dom.js";
import { set, store } from "../store.js";
import { go } from "../route.js";
import { changeOf, check, draw, pictureAddress, play, teach } from "../table.js";
import { has, sentence, word, written } from "../words.js";
import { tokenParts } from "./parts.js";
import { records } from "./records.js";
import { togglePlay } from "./story.js";

const KNOWN = new Set(["kind", "text", "words", "title", "places", "change", "probability"]);
const FEW = 6; // so many moves are simply listed
let offered = null; // the one move that is left of the choices: shown on the board

/** The moves by heading: Map of English title to {title, moves}. */
export function groups() {
  const found = new Map();
  for (const move of store.moves?.moves ?? []) {
    if (!found.has(move.title.en)) found.set(move.title.en, { title: move.title, moves: [] });
    found.get(move.title.en).moves.push(move);
  }
  return found;
}

/** The heading that is open: the one chosen, or the first. */
export function openGroup() {
  const all = groups();
  return all.get(store.group) ?? all.values().next().value ?? null;
}

/** The moves that still fit what was chosen. */
export function candidates(group = openGroup()) {
  return (group?.moves ?? []).filter((move) => Object.entries(store.chosen).every(([key, value]) => value === textOf(move[key])));
}

const textOf = (value) => (Array.isArray(value) ? value.join("+") : String(value ?? null));

/** The fields where the moves in question take place. */
export function legalFields() {
  if (!store.moves || store.at !== null || store.moves.to_move === null) return [];
  const open = candidates();
  const wide = Object.keys(store.chosen).length === 0 && !store.group;
  return (wide ? store.moves.moves : open).flatMap((move) => move.places);
}

/** The moves that name a field, among those that fit the choice if there are any. */
export function movesAt(field) {
  const chosen = Object.keys(store.chosen).length ? candidates().filter((move) => move.places.includes(field)) : [];
  return chosen.length ? chosen : (store.moves?.moves ?? []).filter((move) => move.places.includes(field));
}

export function movesPanel({ preview }) {
  if (!store.moves) return h("p", { class: "quiet" }, word("working"));
  if (store.table.moment.is_over) return ending();
  const all = groups(), group = openGroup();
  const few = store.moves.moves.length <= FEW;
  if (few) offer(null, preview);
  return h("div", { class: "moves" },
    store.at !== null ? h("p", { class: "quiet small" }, word("moves.past")) : lesson(),
    store.moves.to_move === "chance" ? chance() : null,
    few ? h("div", { class: "list" }, store.moves.moves.map((move) => moveButton(move, preview))) : null,
    few ? (all.size ? null : h("p", { class: "quiet" }, word("moves.none"))) : all.size > 1 ? h("div", { class: "headings", role: "tablist" }, [...all.entries()].map(([key, each]) => heading(key, each, each === group))) : h("h2", {}, sentence(group.title)),
    group && !few ? choices(group, preview) : null,
    typing(preview));
}

/** What was put right can be learnt from, if the players agree. */
function lesson() {
  if (!store.table.can_teach || store.route.view === "hand") return null;
  return h("div", { class: "lesson" }, h("p", { class: "small" }, word("teach.text")), h("button", { type: "button", "data-key": "teach", onclick: teach }, word("teach")));
}

/** After the game: what one does then. */
function ending() {
  const sheet = pictureAddress(`/sheet.pdf?language=${store.language}`);
  return h("div", { class: "moves ending" },
    h("button", { type: "button", class: "main", "data-key": "again", onclick: togglePlay }, word("story.play")),
    h("a", { class: "button", href: sheet, download: "", "data-key": "sheet" }, word("export.sheet")),
    records(),
    h("a", { class: "button", href: `/new?like=${encodeURIComponent(store.table.id)}`, "data-key": "next-game", onclick: go }, word("new")));
}

function chance() {
  return h("div", { class: "chance" }, h("p", { class: "small" }, word("moves.draw.text")), h("button", { type: "button", class: "main", "data-key": "draw", onclick: draw }, word("moves.draw")));
}

function heading(key, group, open) {
  return h("button", { type: "button", role: "tab", "aria-selected": String(open), "data-key": `group-${key}`, onclick: () => set({ group: key, chosen: {}, shown: null }) },
    sentence(group.title), h("span", { class: "number quiet" }, String(group.moves.length)));
}

function choices(group, preview) {
  if (group.moves.length <= FEW) {
    offer(null, preview);
    return h("div", { class: "list" }, group.moves.map((move) => moveButton(move, preview)));
  }
  const left = candidates(group);
  offer(left.length === 1 ? left[0] : null, preview);
  const keys = [...new Set(group.moves.flatMap((move) => Object.keys(move)))].filter((key) => !KNOWN.has(key) && new Set(group.moves.map((move) => textOf(move[key]))).size > 1);
  const isPlace = (key) => group.moves.some((move) => move.places.includes(textOf(move[key]))) ? 1 : 0;
  keys.sort((a, b) => isPlace(a) - isPlace(b));
  return [
    keys.map((key) => facet(group, key, keys)),
    left.length === 1 ? moveButton(left[0], preview, "main") : h("p", { class: "quiet small next" }, `${store.route.view === "hand" ? "" : `${word("moves.choose")} · `}${word("moves.all", left.length)}`,
      Object.keys(store.chosen).length ? h("button", { type: "button", class: "link", "data-key": "reset", onclick: () => set({ chosen: {}, shown: null }) }, word("moves.reset")) : null),
  ];
}

/** Shows the move that the choices have led to, until another one is. */
async function offer(move, preview) {
  if (offered === (move?.text ?? null)) return;
  offered = move?.text ?? null;
  const change = move && (await changeOf(move));
  if (offered === (move?.text ?? null)) preview(change);
}

/** One choice: every value that goes with what was chosen elsewhere. */
function facet(group, key, keys) {
  const others = Object.entries(store.chosen).filter(([other]) => other !== key && keys.includes(other));
  const fits = (move) => others.every(([other, value]) => textOf(move[other]) === value);
  const all = [...new Set(group.moves.map((move) => textOf(move[key])))].sort(inOrder);
  const possible = new Set(group.moves.filter(fits).map((move) => textOf(move[key])));
  return h("div", { class: "facet", role: "group", "aria-label": label(key) }, h("h2", {}, label(key)),
    h("div", { class: "chips" }, all.map((value) => h("button", {
      type: "button", class: "chip", "data-key": `${key}-${value}`, "aria-pressed": String(store.chosen[key] === value), disabled: !possible.has(value),
      onclick: () => choose(key, value),
    }, ofValue(key, value)))));
}

/** Fields as they stand in the board file, everything else by number and letter. */
function inOrder(a, b) {
  const order = [...store.board.fields.keys()];
  const [i, j] = [a, b].map((value) => order.indexOf(value.split("+")[0]));
  return i >= 0 && j >= 0 ? i - j : a.localeCompare(b, "en", { numeric: true });
}

function ofValue(key, value) {
  if (key === "value" && store.table.game === "stonehenge") return h("span", { class: `stone ${store.moves.to_move}` }, value === "0" ? "?" : value);
  if (["space", "line"].includes(key)) return value.split("-").at(-1);
  if (value === "true") return "✓";
  return tokenParts(value, store.board);
}

const label = (key) => (has(`param.${key}`) ? word(`param.${key}`) : key.replaceAll("_", " "));

export function choose(key, value) {
  const chosen = { ...store.chosen };
  if (chosen[key] === value) delete chosen[key];
  else chosen[key] = value;
  set({ chosen, shown: null });
}

/** A move as a button: pointing at it shows it on the board. A finger cannot point: its first touch shows what
 * the move would change, the second plays it. */
export function moveButton(move, preview, kind = "") {
  const isMain = kind === "main" || store.shown === move.text;
  let pointed = false, byFinger = false;
  const point = async () => { pointed = true; const change = await changeOf(move); if (pointed) preview(change); };
  const leave = () => { pointed = false; if (!byFinger && kind !== "main") preview(null); };
  const act = async () => {
    const change = byFinger && !isMain ? await changeOf(move) : null;
    if (!change?.come.length && !change?.gone.length) { preview(null); return play(move.text); }
    set({ shown: move.text });
    preview(change);
  };
  return h("button", {
    type: "button", class: isMain ? "move main" : "move", "data-key": `move-${move.text}`, onclick: act,
    onpointerdown: (event) => { byFinger = event.pointerType === "touch"; }, onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave,
  }, h("span", {}, sentence(move.words)), move.probability !== undefined ? h("span", { class: "quiet number" }, percent(move.probability)) : store.shown === move.text ? h("span", { class: "small" }, word("moves.play")) : null);
}

const percent = (share) => (share >= 0.095 ? `${Math.round(share * 100)} %` : `${(share * 100).toFixed(1)} %`);

let typed = "", verdict = null;

function typing(preview) {
  const example = store.moves.moves[0];
  const look = async (input) => {
    typed = input.value;
    const asked = typed.trim();
    const found = asked ? await check(asked).catch(() => null) : null;
    if (asked !== typed.trim()) return;
    verdict = found;
    preview(found?.legal ? found.change : null);
    const line = input.form.querySelector(".verdict");
    line.textContent = found && !found.legal ? sentence(found.reason ?? found.error) : "";
  };
  return h("form", {
    class: "typing", onsubmit: async (event) => { event.preventDefault(); const text = event.target.elements.text.value.trim(); if (text && (await play(text))) { typed = ""; event.target.reset(); } preview(null); },
  },
  h("label", { for: "typed" }, word("moves.type")),
  h("div", { class: "field-row" }, h("input", { type: "text", id: "typed", name: "text", "data-key": "typed", autocomplete: "off", autocapitalize: "off", spellcheck: "false", value: typed, placeholder: example ? written(example.words) : "", oninput: (event) => look(event.target) }),
    h("button", { type: "submit", "data-key": "typed-play" }, word("moves.play"))),
  h("p", { class: "verdict small", role: "status" }, verdict && !verdict.legal && typed ? sentence(verdict.reason ?? verdict.error) : ""));
}
