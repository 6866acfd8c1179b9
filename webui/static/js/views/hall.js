// The hall: tables being played, the shelf of past games, and a new game.

import { get, send } from "../api.js";
import { prepareBoard } from "../board/geometry.js";
import { h, show } from "../dom.js";
import { go } from "../route.js";
import { set, store } from "../store.js";
import { complain } from "../table.js";
import { date, player, said, sentence, time, word } from "../words.js";
import { message } from "./banner.js";
import { playerName, stone } from "./parts.js";
import { stillBoard } from "./still.js";

export async function loadHall() {
  set({ hall: await get("/tables"), games: store.games.length ? store.games : await get("/games") });
}

export function hallView(box) {
  const { hall, route } = store;
  if (!hall) return show(box, h("p", { class: "quiet page-part" }, word("working")));
  const views = { hall: tables, shelf, new: newGame };
  show(box, h("div", { class: "page-part" },
    h("h1", { class: "unseen" }, word(route.view)),
    h("nav", { class: "tabs", "aria-label": word("app") }, ["hall", "shelf", "new"].map((view) => h("a", { href: view === "hall" ? "/" : `/${view}`, "data-key": `nav-${view}`, "aria-current": route.view === view ? "page" : null, onclick: go }, word(view)))),
    message(), views[route.view](), route.view === "hall" ? house() : null));
}

function tables() {
  const { tables: all } = store.hall;
  if (!all.length) return h("div", { class: "empty" }, h("p", {}, word("hall.none")), h("a", { href: "/new", class: "button main", onclick: go }, word("new")));
  const hint = all.some((table) => table.replayed) ? h("p", { class: "quiet hint" }, word("hall.play")) : null;
  return h("div", {}, hint, h("ul", { class: "tables" }, all.map((table) => h("li", {}, h("a", { class: "table-card", href: `/table/${table.id}`, "data-key": table.id, onclick: go },
    miniBoard(table),
    h("div", {}, h("h1", {}, said(table.title)), h("p", { class: "quiet small" }, [table.name === table.id ? null : table.name, date(table.created), time(table.created)].filter(Boolean).join(" · ")),
      h("p", { class: "prompt" }, sentence(table.prompt)),
      h("p", { class: "totals" }, table.players.map((p) => h("span", {}, stone(p), h("b", { class: "number" }, String(table.totals[p]))))),
      h("p", { class: `status ${table.status}` }, h("b", {}, word(table.replayed ? "hall.recorded" : `status.${table.status}`)), h("span", { class: "quiet small" }, word("hall.moves", table.entries)))))))));
}

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
  else get(`/boards/${table.board}`).then((data) => { boards.set(table.board, prepareBoard(data)); draw(boards.get(table.board)); });
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
    h("ul", { class: "past" }, found.map((row) => h("li", {}, h("a", { href: `/table/${row.id}`, "data-key": row.id, onclick: go },
      h("span", {}, h("b", {}, said(row.title)), row.name === row.id ? null : h("span", { class: "quiet" }, ` · ${row.name}`)), h("span", { class: "quiet small" }, date(row.closed)), h("span", { class: "totals" }, row.players.map((p) => h("span", {}, stone(p), resultOf(row, p)))))))));
}

const resultOf = (row, p) => h("b", { class: "number" }, new RegExp(`\\b${p} (-?\\d+)`).exec(row.result)?.[1] ?? "–");

let draft = { game: null, players: [], name: "", variants: {}, dealt: false };

function newGame() {
  const game = store.games.find((each) => each.id === draft.game) ?? store.games[0];
  if (!game) return null;
  if (draft.game !== game.id) draft = { ...draft, game: game.id, variants: {}, players: game.suggested_players };
  const enough = game.player_counts.includes(draft.players.length);
  const change = (patch) => { draft = { ...draft, ...patch }; set({}); };
  return h("form", { class: "new-game", onsubmit: (event) => { event.preventDefault(); start(); } },
    h("fieldset", {}, h("legend", {}, word("new.game")), h("div", { class: "chips" }, store.games.map((each) => h("button", { type: "button", class: "chip", "data-key": `game-${each.id}`, "aria-pressed": String(each.id === game.id), onclick: () => change({ game: each.id, variants: {}, players: each.suggested_players }) }, said(each.title))))),
    h("fieldset", {}, h("legend", {}, word("new.players")), h("div", { class: "chips" }, game.colours.map((colour) => { const seat = draft.players.indexOf(colour); return h("button", { type: "button", class: "chip", "data-key": `seat-${colour}`, "aria-pressed": String(seat >= 0), onclick: () => change({ players: seat >= 0 ? draft.players.filter((p) => p !== colour) : [...draft.players, colour] }) }, playerName(colour), seat >= 0 ? h("span", { class: "number" }, String(seat + 1)) : null); })),
      h("p", { class: "quiet small" }, `${game.player_counts.join(" / ")} · ${word("new.seats", draft.players.length)}`)),
    game.variants.length ? h("details", { "data-key": "variants" }, h("summary", {}, word("new.house")), game.variants.map((variant) => choice(variant, change))) : null,
    h("label", { class: "check" }, h("input", { type: "checkbox", "data-key": "dealt", checked: draft.dealt, onchange: (event) => change({ dealt: event.target.checked }) }), h("span", {}, word("new.dealt"), h("span", { class: "quiet small" }, word("new.dealt.text")))),
    h("label", { class: "stacked" }, word("new.name"), h("input", { type: "text", "data-key": "name", maxlength: 60, value: draft.name, oninput: (event) => { draft.name = event.target.value; } })),
    h("div", { class: "field-row" }, h("button", { type: "submit", class: "main", disabled: !enough, "data-key": "start" }, word("new.start")),
      h("label", { class: "button" }, word("new.import"), h("input", { type: "file", class: "unseen", accept: ".txt,.henge,text/plain", onchange: (event) => open(event.target.files[0]) }))));
}

function choice(variant, change) {
  const chosen = draft.variants[variant.key] ?? variant.choices[0];
  return h("label", { class: "variant" }, h("span", {}, sentence(variant.label)),
    h("select", { "data-key": `variant-${variant.key}`, onchange: (event) => change({ variants: { ...draft.variants, [variant.key]: variant.choices[event.target.selectedIndex] } }) },
      variant.choices.map((value) => h("option", { selected: value === chosen }, value === true ? "✓" : value === false ? "–" : String(value)))));
}

async function start() {
  try {
    const made = await send("POST", "/tables", { game: draft.game, players: draft.players, variants: draft.variants, name: draft.name, dealt: draft.dealt });
    go(`/table/${made.id}`);
  } catch (error) { complain(error); }
}

async function open(file) {
  try {
    const made = await send("POST", "/logs", { text: await file.text(), name: file.name.replace(/\.\w+$/, "") });
    go(`/table/${made.id}`);
  } catch (error) { complain(error); }
}
