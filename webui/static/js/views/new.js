// A new game: which one, who plays, by which rules; or the record of one that was played elsewhere.

import { get, send } from "../api.js";
import { h } from "../dom.js";
import { go } from "../route.js";
import { set, store } from "../store.js";
import { complain } from "../table.js";
import { player, said, sentence, word } from "../words.js";
import { houseView } from "./hall.js";
import { playerName } from "./parts.js";

const WITH_CARDS = ["build", "council", "ramming", "roulette"];
const EMPTY = { game: null, players: [], name: "", variants: {}, dealt: false };
let draft = EMPTY;

/** Loads what can be played; a game `like` another one begins as that did, the next player first. */
export async function loadGames() {
  if (!store.games.length) set({ games: await get("/games") });
  const { like } = store.route;
  if (!like) return;
  const { game, players, name, id, variant, dealt } = await get(`/tables/${encodeURIComponent(like)}`);
  const { half_seen, ...variants } = variant;
  change({ game, players: [...players.slice(1), players[0]], name: name === id ? "" : name, variants, dealt });
}

function change(patch) {
  draft = { ...draft, ...patch };
  set({});
}

const begin = (game) => change({ game: game.id, variants: {}, players: game.suggested_players, dealt: false });

export function newView(box) {
  const game = store.games.find((each) => each.id === draft.game);
  if (!game && store.games.length) begin(store.games[0]);
  houseView(box, "new", game ? form(game) : null);
}

function form(game) {
  const enough = game.player_counts.includes(draft.players.length);
  return h("form", { class: "new-game", onsubmit: (event) => { event.preventDefault(); start(); } },
    h("fieldset", {}, h("legend", {}, word("new.game")), h("div", { class: "chips" }, store.games.map((each) => gameChip(each, each === game)))),
    h("fieldset", {}, h("legend", {}, word("new.players")), h("div", { class: "chips" }, game.colours.map(seatChip)),
      h("p", { class: enough ? "quiet small" : "small" }, word("new.seats", game.player_counts.map(String), draft.players.length))),
    game.variants.length ? h("details", { "data-key": "variants" }, h("summary", {}, word("new.house")), game.variants.map(variantRow)) : null,
    WITH_CARDS.includes(game.id) ? dealing() : null,
    h("label", { class: "stacked" }, word("new.name"),
      h("input", { type: "text", "data-key": "name", maxlength: 60, value: draft.name, oninput: (event) => { draft.name = event.target.value; } })),
    h("div", { class: "field-row" }, h("button", { type: "submit", class: "main", disabled: !enough, "data-key": "start" }, word("new.start")),
      h("label", { class: "button" }, word("new.import"),
        h("input", { type: "file", class: "unseen", accept: ".txt,.henge,text/plain", onchange: (event) => open(event.target.files[0]) }))));
}

function gameChip(game, chosen) {
  return h("button", { type: "button", class: "chip", "data-key": `game-${game.id}`, "aria-pressed": String(chosen), onclick: () => begin(game) }, said(game.title));
}

/** A colour; who plays bears the number of the seat. */
function seatChip(colour) {
  const seat = draft.players.indexOf(colour);
  const players = seat >= 0 ? draft.players.filter((each) => each !== colour) : [...draft.players, colour];
  return h("button", { type: "button", class: "chip", "data-key": `seat-${colour}`, "aria-pressed": String(seat >= 0), onclick: () => change({ players }) },
    playerName(colour), seat >= 0 ? h("span", { class: "number" }, String(seat + 1)) : null);
}

function dealing() {
  return h("label", { class: "check" },
    h("input", { type: "checkbox", "data-key": "dealt", checked: draft.dealt, onchange: (event) => change({ dealt: event.target.checked }) }),
    h("span", {}, word("new.dealt"), h("span", { class: "quiet small" }, word("new.dealt.text"))));
}

function variantRow({ key, label, choices }) {
  const chosen = draft.variants[key] ?? choices[0];
  const choose = (event) => change({ variants: { ...draft.variants, [key]: choices[event.target.selectedIndex] } });
  return h("label", { class: "variant" }, h("span", {}, sentence(label)),
    h("select", { "data-key": `variant-${key}`, onchange: choose }, choices.map((value) => h("option", { selected: value === chosen }, choiceWords(key, value)))));
}

function choiceWords(key, value) {
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (typeof value === "number") return String(value);
  return key === "neutral_colour" && value !== "unused" ? player(value) : word(`choice.${value}`);
}

async function start() {
  const { game, players, variants, name, dealt } = draft;
  await enter("/tables", { game, players, variants, name, dealt });
}

async function open(file) {
  await enter("/logs", { text: await file.text(), name: file.name.replace(/\.\w+$/, "") });
}

async function enter(path, body) {
  try {
    const made = await send("POST", path, body);
    draft = EMPTY;
    go(`/table/${made.id}`);
  } catch (error) {
    complain(error);
  }
}
