// The table view: the board is made once, everything around it is drawn anew when something changes.

import { fieldsOf, placeName } from "../board/geometry.js";
import { drawLines } from "../board/lines.js";
import { BoardView } from "../board/view.js";
import { h, show } from "../dom.js";
import { set, store } from "../store.js";
import { changeOf, correct, play } from "../table.js";
import { word } from "../words.js";
import { banner, message, statusLine } from "./banner.js";
import { help } from "./bar.js";
import { hasPicture, photo, player, straightAddress, tile } from "./camera.js";
import { describe, fieldPanel } from "./field.js";
import { candidates, legalFields, movesPanel } from "./moves.js";
import { question } from "./question.js";
import { scores } from "./scores.js";
import { scrubber, storyPanel } from "./story.js";
import { textPanel } from "./text.js";

let view = null, parts = null, shown = {};

/** The lasting parts of the view; panels are filled by `draw`. */
function build(box) {
  const div = (name, more = {}) => h("div", { class: name, ...more });
  parts = { stage: div("stage"), top: div("top"), tile: div("tile-box"), asked: div("asked"), scores: div("scores-box"), tabs: h("div", { class: "tabs", role: "tablist" }), panel: div("panel", { role: "tabpanel", tabindex: "0" }), story: div("story-box"), photo: div("photo-box") };
  parts.handle = h("button", { type: "button", class: "handle", onclick: () => set({ sheet: !store.sheet }) });
  parts.board = div("board-box");
  parts.stage.append(parts.board, parts.photo);
  parts.sheet = div("sheet");
  parts.sheet.append(parts.handle, parts.tabs, parts.panel);
  parts.side = div("side");
  parts.side.append(parts.asked, parts.scores, parts.sheet);
  parts.head = div("head");
  parts.head.append(parts.top, parts.tile);
  box.replaceChildren(h("div", { class: "table-view" }, parts.stage, parts.head, parts.side, parts.story));
}

export function leaveTable() {
  view = null;
  parts = null;
}

/** Shows a change; without one, how a table that is out of step differs from the record. */
function preview(change) {
  const alarm = store.at === null && store.table.status.name === "out_of_step" ? store.table.status.alarm?.change : null;
  view?.setPreview(change ?? alarm ?? null, store.language, Boolean(change));
}
const count = (places) => { shown.counted = places.flatMap(fieldsOf); rings(); };

let entering = false; // the keyboard goes on in what opens

export function openField(field, byKey = false) {
  entering = byKey;
  set({ field, message: null });
}

/** A tap on the board plays when a choice leaves one move there; else it opens the field. */
function tap(field, byKey = false) {
  const fitting = Object.keys(store.chosen).length && store.at === null ? candidates().filter((move) => move.places.includes(field)) : [];
  if (fitting.length === 1) {
    preview(null);
    play(fitting[0].text);
  } else openField(store.field === field ? null : field, byKey);
}

let pointed = null;

function point(field) {
  pointed = field;
  if (!field || store.at !== null || !Object.keys(store.chosen).length) return preview(null);
  const fitting = candidates().filter((move) => move.places.includes(field));
  if (fitting.length !== 1) return preview(null);
  changeOf(fitting[0]).then((change) => pointed === field && preview(change));
}

/** A piece dragged from one field to another: it really lies there. */
function drag(from, to) {
  const piece = store.moment.position.pieces.findLast((each) => placeName(each) === from);
  if (!piece || !store.observation || store.at !== null) return openField(to);
  const { field, fields, on, x_mm, y_mm, angle_deg, confidence, ...thing } = piece;
  correct(to, thing, from);
}

export function tableView(box) {
  if (!store.table) return show(box, h("p", { class: "quiet page-part" }, word("working")));
  if (!parts || !box.contains(parts.stage)) build(box);
  if (!view || view.board !== store.board) {
    view = new BoardView(store.board, { tap, point, drag, describe });
    parts.board.replaceChildren(view.element);
    shown = {};
  }
  drawBoard();
  drawPanels();
}

function drawBoard() {
  const { moment, language, table } = store;
  view.element.setAttribute("aria-label", `${word("board")}. ${word("board.walk")}`);
  view.setPrint(store.theme === "dark", straightAddress(), store.fade);
  const key = JSON.stringify([moment.number, moment.position, language, moment.insights?.lines, table.status, store.at]);
  if (shown.key !== key) {
    view.setPieces(moment.position.pieces, language);
    if (table.game === "stonehenge") view.setDrawing(...drawLines(store.board, moment.insights, table.players));
    shown.key = key;
    preview(null);
  }
  view.setLegal(store.at === null && ["in_step", "looking"].includes(table.status.name) ? legalFields() : [], Object.keys(store.chosen).length > 0);
  rings();
  parts.stage.classList.toggle("wrong", table.status.name === "out_of_step" && store.at === null);
  parts.stage.classList.toggle("past", store.at !== null);
  const large = store.main === "photo" && hasPicture() && store.at === null;
  parts.stage.classList.toggle("shows-photo", large);
  if (large) {
    parts.photo.replaceChildren(photo("large-photo"));
  } else {
    parts.photo.replaceChildren();
    if (parts.board.parentNode !== parts.stage) parts.stage.prepend(parts.board);
  }
}

function rings() {
  const { table, moment } = store;
  const last = table.entries[moment.number - 1]?.change;
  const places = (change) => [...(change?.come ?? []), ...(change?.gone ?? [])].flatMap((piece) => fieldsOf(placeName(piece)));
  const now = store.at === null;
  view.setRings({
    hidden: now ? Object.keys(store.observation?.unseen ?? {}).flatMap(fieldsOf) : [],
    last: places(last),
    wrong: now && table.status.name === "out_of_step" ? table.status.places.flatMap(fieldsOf) : [],
    counts: shown.counted ?? [],
    chosen: store.field ? [store.field] : [],
  });
}

/** Whoever opened a field by key goes on in its answers; when they close, the keyboard is back on the board. */
function keepKeyboard(wasIn) {
  if (entering && store.field) (parts.asked.querySelector(".list button") ?? parts.asked.querySelector("button"))?.focus();
  else if (wasIn && !parts.asked.contains(document.activeElement)) view.focus(shown.field);
  entering = false;
  shown.field = store.field ?? shown.field;
}

const TABS = ["moves", "story", "table"];

function drawPanels() {
  show(parts.top, banner(), statusLine(), message());
  show(parts.tile, tile(parts.board));
  const wasIn = parts.asked.contains(document.activeElement);
  show(parts.asked, store.help ? help() : null, store.field ? fieldPanel({ preview }) : question({ preview, open: openField }));
  keepKeyboard(wasIn);
  show(parts.scores, scores({ count }));
  show(parts.tabs, TABS.map((name) => h("button", { type: "button", role: "tab", "data-key": `tab-${name}`, "aria-selected": String(store.tab === name), onclick: () => set({ tab: name, field: null }) }, word(name))));
  const panels = { moves: () => movesPanel({ preview }), story: storyPanel, table: textPanel };
  show(parts.panel, panels[store.tab]());
  parts.handle.setAttribute("aria-expanded", String(store.sheet));
  parts.handle.setAttribute("aria-label", word("more"));
  parts.sheet.closest(".table-view").classList.toggle("sheet-up", store.sheet);
  show(parts.story, scrubber(), player());
}
