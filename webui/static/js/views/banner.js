// Who is to move and what is expected; below it, in one place always, whether table and record agree.

import { h, icon } from "../dom.js";
import { store } from "../store.js";
import { go } from "../route.js";
import { lookAt, watchHere } from "../table.js";
import { player, said, sentence, word } from "../words.js";
import { stone } from "./parts.js";

export function banner() {
  const { moment } = store;
  if (moment.is_over) return over(moment);
  const who = moment.to_move;
  return h("section", { class: "banner", "aria-label": word("moves") }, stone(who),
    h("div", {}, h("h1", {}, player(who)), h("p", { class: "prompt" }, expectation(moment, who))));
}

/** The engine's prompt without the name that stands above it. */
function expectation(moment, who) {
  const words = said(moment.prompt);
  const name = player(who).toLocaleLowerCase(store.language);
  const rest = new RegExp(`^${name}:? `, "i").test(words) ? words.slice(name.length + 1).trim() : words;
  return rest.charAt(0).toLocaleUpperCase(store.language) + rest.slice(1);
}

function over(moment) {
  const names = moment.winners.map(player);
  const list = new Intl.ListFormat(store.language).format(names);
  return h("section", { class: "banner over" }, moment.winners.map(stone),
    h("div", {}, h("h1", {}, names.length > 1 ? word("turn.shared", list) : names.length ? word("turn.won", list) : word("turn.over")), h("p", { class: "prompt" }, sentence(moment.prompt))));
}

const SIGNS = { in_step: "●", looking: "◌", asking: "?", out_of_step: "!", blind: "⊘", replay: "↺", offline: "⋯", page: "○" };

/** The line that the server does not answer; null while it does. */
export const silenceLine = () => (store.connected ? null : line("offline", word("status.offline.text")));

/** One line, always there. */
export function statusLine() {
  const { table } = store;
  if (!store.connected) return silenceLine();
  if (store.at !== null) {
    return line("replay", word("replay", store.at, table.entries.length),
      h("button", { type: "button", class: "link", "data-key": "now", onclick: () => lookAt(null) }, word("replay.now")));
  }
  const { status } = table;
  if (!table.view && !table.replayed && !isWatched() && ["looking", "in_step"].includes(status.name)) {
    return line("page", table.entries.length && status.name === "in_step" ? sentence(status.message) : word("status.page.text"));
  }
  const below = status.name === "asking" || status.name === "out_of_step"; // told in full by the card below
  return line(status.name, below ? "" : sentence(status.message));
}

const isWatched = () => store.camera?.table?.id === store.table.id;

/** Which game the camera watches, where that is not plain: another one, or this one although it is over. */
export function cameraLine() {
  const { camera, table } = store;
  if (!camera?.present || table.replayed || store.at !== null) return null;
  if (isWatched()) return table.closed ? cameraWords(word("camera.waits")) : null;
  if (!camera.table) return table.closed ? null : cameraWords(word("camera.free"), here());
  const name = h("a", { href: `/table/${encodeURIComponent(camera.table.id)}`, "data-key": "watched", onclick: go }, said(camera.table.title), camera.table.name === camera.table.id ? "" : ` · ${camera.table.name}`);
  return cameraWords([`${word("camera.elsewhere")} `, name], table.closed ? null : here());
}

const here = () => (store.me?.may === "look" ? null : h("button", { type: "button", "data-key": "watch", onclick: watchHere }, word("camera.here")));

const cameraWords = (words, more = null) => h("p", { class: "camera-line", role: "note" }, icon("camera"), h("span", {}, words), more);

function line(name, text, more = null) {
  return h("p", { class: `status ${name}`, role: "status" }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[name]), name === "replay" ? null : h("b", {}, word(`status.${name}`)), h("span", { class: "text" }, text), more);
}

/** A line for what was refused, or done beside the game. */
export function message() {
  const { message: said_ } = store;
  if (!said_) return null;
  return h("p", { class: said_.bad ? "message bad" : "message", role: "alert" }, said_.bad ? icon("close") : null, said_.silence ? word("error.offline") : sentence(said_.text));
}
