// The hall: tables being played, and the shelf of past games.

import { get } from "../api.js";
import { prepareBoard } from "../board/geometry.js";
import { lost } from "../connection.js";
import { h, icon, show } from "../dom.js";
import { go } from "../route.js";
import { set, store } from "../store.js";
import { date, player, said, sentence, shortly, word } from "../words.js";
import { message, silenceLine } from "./banner.js";
import { stone } from "./parts.js";
import { stillBoard } from "./still.js";

const LOOK_AGAIN_MS = 2000;
let clock = null, known = "";

async function loadHall() {
  const hall = await get("/tables");
  const news = JSON.stringify(hall);
  if (store.hall && news === known) return;
  known = news;
  set({ hall });
}

/** The next round tries again. */
function missed(error) {
  if (error.message === "offline") lost();
  else if (error.status === 401) go("/pair"); // the server was started anew
}

/** Shows all tables, and goes on looking while somebody looks at them: one request for all of them, where a
 * stream for each would use up the few that a browser opens. */
export async function watchHall() {
  await loadHall();
  clock ??= setInterval(() => {
    if (store.route.view === "hall" && document.visibilityState === "visible") loadHall().catch(missed);
  }, LOOK_AGAIN_MS);
}

export function hallView(box) {
  const { hall, route } = store;
  const view = route.view === "shelf" ? "shelf" : "hall";
  if (!hall) return houseView(box, view, h("p", { class: "quiet" }, word("working")));
  return view === "shelf" ? houseView(box, view, shelf()) : houseView(box, view, tables(), house());
}

/** The frame of what is not at a table: where one is, and where one can go. */
export function houseView(box, view, ...content) {
  const tabs = ["hall", "shelf", "new"].map((each) => tab(each, each === view));
  show(box, h("div", { class: "page-part" }, h("h1", { class: "unseen" }, word(view)), h("nav", { class: "tabs", "aria-label": word("app") }, tabs), silenceLine(), message(), content));
}

function tab(view, here) {
  return h("a", { href: view === "hall" ? "/" : `/${view}`, "data-key": `nav-${view}`, "aria-current": here ? "page" : null, onclick: go }, word(view));
}

function tables() {
  const { tables: all } = store.hall;
  if (!all.length) return h("div", { class: "empty" }, h("p", {}, word("hall.none")), h("a", { href: "/new", class: "button main", onclick: go }, word("new")));
  const hint = all.some((table) => table.replayed) ? h("p", { class: "quiet hint" }, word("hall.play")) : null;
  return h("div", {}, hint, h("ul", { class: "tables" }, all.map((table) => h("li", {}, card(table)))));
}

function card(table) {
  if (table.unreadable) return unreadable(table);
  const total = (player) => h("span", {}, stone(player), h("b", { class: "number" }, String(table.totals[player])));
  const status = statusOf(table);
  return h("a", { class: "table-card", href: `/table/${table.id}`, "data-key": table.id, onclick: go }, miniBoard(table), h("div", {},
    h("h1", {}, said(table.title)),
    h("p", { class: "quiet small named" }, table.name === table.id ? null : [h("span", { class: "name", title: table.name }, table.name), " · "], h("span", { class: "time" }, shortly(table.created))),
    h("p", { class: "prompt" }, sentence(table.prompt)),
    h("p", { class: "totals" }, table.players.map(total)),
    h("p", { class: `status ${status}` }, h("b", {}, word(table.replayed && !OPEN.includes(status) ? "hall.recorded" : `status.${status}`)), h("span", { class: "quiet small" }, table.watched ? h("span", { class: "watched" }, icon("camera"), word("camera.watched")) : null, word("hall.moves", table.entries)))));
}

const unreadable = (table) => h("div", { class: "table-card" }, h("div", {}, h("h1", {}, said(table.title)), h("p", { class: "message bad" }, word("hall.unreadable")), h("p", { class: "quiet small" }, table.unreadable)));

const OPEN = ["asking", "out_of_step"]; // what wants an answer is told of a recorded table too

/** As the table itself says it: without a camera there is nothing to be in step with. */
const statusOf = (table) => (!table.seen && !table.watched && !table.replayed && ["looking", "in_step"].includes(table.status) ? "page" : table.status);

/** What belongs to the house and not to a game: the camera, other devices. */
function house() {
  if (store.me?.may !== "all") return null;
  return h("p", { class: "house" }, h("a", { href: "/setup", "data-key": "setup" }, word("hall.setup")), h("a", { href: "/phones", "data-key": "phones", onclick: go }, word("phones")));
}

const boards = new Map();

function miniBoard(table) {
  const place = h("div", { class: "mini" });
  const draw = (board) => {
    place.replaceChildren(stillBoard(board, table.position.pieces).element);
  };
  if (boards.has(table.board)) draw(boards.get(table.board));
  else get(`/boards/${table.board}`).then((data) => { boards.set(table.board, prepareBoard(data)); draw(boards.get(table.board)); }, () => {}); // asked for again with the next news
  return place;
}

let searched = "";

function shelf() {
  const wanted = searched.toLocaleLowerCase();
  const found = store.hall.shelf.filter((row) => [row.name, row.id, said(row.title), row.result, date(row.created), ...row.players.map(player)].join(" ").toLocaleLowerCase().includes(wanted));
  return h("div", {},
    h("label", { class: "unseen", for: "search" }, word("shelf.search")),
    h("input", { type: "search", id: "search", class: "wide", "data-key": "search", placeholder: word("shelf.search"), value: searched, oninput: (event) => { searched = event.target.value; set({}); } }),
    h("p", { class: "quiet small", role: "status" }, store.hall.shelf.length ? word("shelf.found", found.length) : word("shelf.none")),
    h("ul", { class: "past" }, found.map((row) => h("li", {}, pastGame(row)))));
}

function pastGame(row) {
  return h("a", { href: `/table/${row.id}`, "data-key": row.id, onclick: go },
    h("span", {}, h("b", {}, said(row.title)), row.name === row.id ? null : h("span", { class: "quiet" }, ` · ${row.name}`)),
    h("span", { class: "quiet small" }, date(row.closed)),
    h("span", { class: "totals" }, row.players.map((p) => h("span", {}, stone(p), resultOf(row, p)))));
}

const resultOf = (row, p) => h("b", { class: "number" }, new RegExp(`\\b${p} (-?\\d+)`).exec(row.result)?.[1] ?? "–");
