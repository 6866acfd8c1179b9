// The table view: board and banner first; everything else is drawn around them as soon as it is there, and anew
// when something changes.

import { fieldsOf, placeName } from "../board/geometry.js";
import { drawCouncil } from "../board/council.js";
import { drawLines } from "../board/lines.js";
import { BoardView } from "../board/view.js";
import { load, lost } from "../connection.js";
import { h, show } from "../dom.js";
import { set, store } from "../store.js";
import { changeOf, complain, correct, hasPicture, play, straightAddress } from "../table.js";
import { word } from "../words.js";
import { banner, cameraLine, message, statusLine } from "./banner.js";
import { describe } from "./parts.js";

let panels = null; // the module of everything beside the board
let wanted = false; // it was asked for, or will be when the server answers again

export const isWhole = () => Boolean(panels);

async function loadPanels() {
  wanted = true;
  try {
    panels = await load("./views/panels.js");
  } catch (error) {
    complain(error);
    return lost(loadPanels);
  }
  shown = {};
  set({});
}

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

function openField(field, byKey = false) {
  entering = byKey;
  set({ field, shown: null, message: null });
}

/** A tap on the board plays when a choice leaves one move there; else it opens the field. */
function tap(field, byKey = false) {
  const fitting = fittingAt(field);
  if (fitting.length === 1) {
    preview(null);
    play(fitting[0].text);
  } else openField(store.field === field ? null : field, byKey);
}

/** The moves at a field among those that go with the choices made. */
function fittingAt(field) {
  if (!field || !panels || store.at !== null || !Object.keys(store.chosen).length) return [];
  return panels.candidates().filter((move) => move.places.includes(field));
}

let pointed = null;

function point(field) {
  pointed = field;
  const fitting = fittingAt(field);
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
  if (!store.table) return show(box, h("div", { class: "page-part" }, message() ?? h("p", { class: "quiet" }, word("working"))));
  if (!parts || !box.contains(parts.stage)) build(box);
  if (!view || view.board !== store.board) {
    view = new BoardView(store.board, { tap, point, drag, describe });
    parts.board.replaceChildren(view.element);
    shown = {};
  }
  drawBoard();
  show(parts.top, banner(), statusLine(), cameraLine(), message());
  parts.tile.classList.toggle("awaited", Boolean(store.table.view?.picture)); // its room is kept: the board stays where it is
  if (panels) drawPanels();
  else if (!wanted) loadPanels();
}

/** What a game draws on the board besides its pieces: [below them, above them]. */
const DRAWINGS = { stonehenge: drawLines, council: drawCouncil };

function drawBoard() {
  const { moment, language, table } = store;
  view.element.setAttribute("aria-label", `${word("board")}. ${word("board.walk")}`);
  view.setPrint(store.theme === "dark", straightAddress(), store.fade);
  const key = JSON.stringify([moment.number, moment.position, language, moment.insights?.lines ?? moment.insights?.persuasions, table.status, store.at]);
  if (shown.key !== key) {
    view.setPieces(moment.position.pieces, language);
    view.setDrawing(...(DRAWINGS[table.game]?.(store.board, moment.insights, table.players, moment.to_move) ?? [[], []]));
    shown.key = key;
    preview(null);
  }
  if (shown.move && !store.shown) preview(null);
  shown.move = store.shown;
  view.setLegal(store.at === null && panels && ["in_step", "looking"].includes(table.status.name) ? panels.legalFields() : [], Object.keys(store.chosen).length > 0);
  rings();
  parts.stage.classList.toggle("wrong", table.status.name === "out_of_step" && store.at === null);
  parts.stage.classList.toggle("looks-back", store.at !== null);
  const large = panels && store.main === "photo" && hasPicture() && store.at === null;
  parts.stage.classList.toggle("shows-photo", large);
  if (large) {
    parts.photo.replaceChildren(panels.photo("large-photo"));
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

function drawPanels() {
  const wasIn = parts.asked.contains(document.activeElement);
  panels.drawPanels(parts, { preview, count, open: openField });
  keepKeyboard(wasIn);
}
