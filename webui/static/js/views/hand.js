// The page of one player: his hand, his moves. It opens with his PIN and lies face down when it is left.

import { BoardView } from "../board/view.js";
import { h, show } from "../dom.js";
import { go } from "../route.js";
import { set, store } from "../store.js";
import { takeSeat, tellHand } from "../table.js";
import { player, token, word } from "../words.js";
import { banner, message, silenceLine } from "./banner.js";
import { movesPanel } from "./moves.js";
import { playerName, stone, tokenParts } from "./parts.js";

let view = null;
let draft = {}; // what was typed on the page of this route and not taken yet: {pin, cards}

/** What is refused stays, to be put right. */
async function send(key, sending) {
  const sent = draft;
  if (await sending) sent[key] = "";
}

export function handView(box) {
  const { table, seats, route } = store;
  if (!table || !seats) return show(box, h("div", { class: "page-part" }, silenceLine(), message() ?? h("p", { class: "quiet" }, word("working"))));
  if (draft.route !== route) draft = { route, pin: "", cards: "" };
  const seat = seats.find((each) => each.player === route.player);
  show(box, h("div", { class: "page-part hand-page" }, silenceLine(), !seat ? choice(table) : seat.mine ? hand(seat) : locked(seat)));
}

function choice(table) {
  return h("section", {}, h("h1", {}, word("hand.whose")), h("div", { class: "chips big" }, table.players.map((each) => h("a", { class: "button", href: `/table/${encodeURIComponent(table.id)}/hand/${each}`, "data-key": `hand-${each}`, onclick: go }, playerName(each)))));
}

function locked(seat) {
  return h("form", { class: "pin", onsubmit: (event) => { event.preventDefault(); send("pin", takeSeat(draft.pin)); } },
    h("h1", {}, stone(seat.player), " ", player(seat.player)),
    h("p", {}, word(seat.taken ? "hand.known" : "hand.new")),
    h("label", { class: "stacked" }, word("hand.pin"), h("input", { type: "password", name: "pin", inputmode: "numeric", pattern: "[0-9]{4,12}", minlength: 4, maxlength: 12, autocomplete: "off", required: true, "data-key": "pin", value: draft.pin, oninput: (event) => { draft.pin = event.target.value; } })),
    h("button", { type: "submit", class: "main", "data-key": "take" }, word(seat.taken ? "hand.open" : "hand.take")),
    message());
}

function hand(seat) {
  const { hand: mine, table } = store;
  if (!mine) return h("p", { class: "quiet" }, word("working"));
  const cover = h("button", { type: "button", "data-key": "cover", "aria-pressed": String(store.covered), onclick: () => set({ covered: !store.covered }) }, word(store.covered ? "hand.uncover" : "hand.cover"));
  const head = h("div", { class: "title-row" }, h("h1", {}, stone(seat.player), " ", player(seat.player)), cover);
  if (store.covered) return [head, h("p", { class: "quiet small" }, word("hand.private"))];
  return [head, h("p", { class: "quiet small" }, word("hand.private")), cards(mine), message(), banner(), turn(mine, seat), tell(mine),
    h("div", {}, h("a", { class: "button", href: `/table/${encodeURIComponent(table.id)}`, onclick: go }, word("hand.table"))), board()];
}

function cards(mine) {
  const known = mine.cards.filter((card) => card !== "??"), hidden = mine.cards.length - known.length;
  if (!mine.cards.length) return h("p", { class: "quiet" }, word("hand.none"));
  return h("div", {}, h("ul", { class: "held-cards", "aria-label": word("hand") }, known.map((card) => h("li", { "data-card": card }, tokenParts(card, store.board)))), hidden ? h("p", { class: "quiet" }, `+ ${hidden} ${word("hand.unknown")}`) : null);
}

function turn(mine, seat) {
  if (mine.moves.to_move !== seat.player) return h("p", { class: "quiet" }, word("hand.wait"));
  return movesPanel({ preview: (change) => view?.setPreview(change, store.language, Boolean(change)) });
}

/** At a table with real cards a player may tell which he holds. */
function tell(mine) {
  if (!mine.cards.includes("??")) return null;
  return h("details", { "data-key": "tell" }, h("summary", {}, word("hand.tell")), h("form", { class: "field-row", onsubmit: (event) => { event.preventDefault(); send("cards", tellHand(cardsIn(draft.cards))); } },
    h("input", { type: "text", name: "cards", "aria-label": word("hand.tell"), placeholder: mine.cards.map((card, i) => typed(card === "??" ? ["7-day", "12-night"][i] ?? "??" : card)).join(" "), "data-key": "told", value: draft.cards, oninput: (event) => { draft.cards = event.target.value; } }), h("button", { type: "submit" }, word("moves.play"))), h("p", { class: "quiet small" }, word("hand.tell.text")));
}

const PARTS = ["day", "night", "trilith", "white", "blue", "green", "yellow", "red", "black"];
const letters = new Intl.Collator("de", { sensitivity: "base" }); // to which "WEISS" is "Weiß"

/** A card as it is typed in the language of the page: "7-Tag". */
const typed = (card) => card.split("-").map(token).join("-");

/** The cards that somebody typed, in English or the language of the page, with any hyphen or a blank between
 * their parts: "7-Tag 12 nacht" is ["7-day", "12-night"]. What is no card stays, for the server to refuse. */
function cardsIn(text) {
  const words = text.toLowerCase().split(/[\s,;\p{Pd}\u2212]+/u).filter(Boolean);
  const parts = words.map((each) => PARTS.find((part) => letters.compare(token(part), each) === 0) ?? each);
  const cards = parts.join(" ").match(/(\d+|trilith) \S+|\?\? (?!trilith)\p{L}+|\S+/gu) ?? [];
  return cards.map((card) => card.replace(" ", "-"));
}

function board() {
  if (!view || view.board !== store.board) view = new BoardView(store.board, { describe: token });
  view.layers.touch.remove();
  view.element.setAttribute("aria-hidden", "true");
  view.setPrint(store.theme === "dark", null, 0);
  view.setPieces(store.hand.moment.position.pieces, store.language);
  return h("div", { class: "hand-board" }, view.element);
}

document.addEventListener("visibilitychange", () => { if (document.hidden && store.route.view === "hand") set({ covered: true }); });
