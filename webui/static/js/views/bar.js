// The bar at the top: where you are, and the few things that concern the whole page.

import { h } from "../dom.js";
import { go } from "../route.js";
import { set, store, remember } from "../store.js";
import { hasPicture, pictureAddress, redo, sendPhoto, shelve, swap, undo, using } from "../table.js";
import { said, word } from "../words.js";
import { iconButton } from "./parts.js";

export function setting(key, value) {
  remember(key, value);
  set({ [key]: value });
}

export const toggleTheme = () => setting("theme", store.theme === "dark" ? "light" : "dark");
export const toggleLarge = () => setting("large", !store.large);
export const toggleLanguage = () => setting("language", store.language === "en" ? "de" : "en");
export const toggleHelp = () => set({ help: !store.help });

const sign = h("img", { src: "/static/icon.svg", alt: "", width: 30, height: 30 }); // one, so that it is asked for once

export function bar() {
  const { table } = store;
  return [
    h("a", { class: "home", href: "/", title: word("back-to-hall"), "aria-label": word("back-to-hall"), "data-key": "home", onclick: go }, sign),
    h("p", { class: "where-am-i" }, table ? [h("b", {}, said(table.title)), table.name !== table.id ? h("span", { class: "quiet" }, table.name) : null] : h("b", {}, word("app"))),
    h("div", { class: "tools" },
      table ? [iconButton("undo", word("undo"), undo, { disabled: !table.can_undo }), iconButton("redo", word("redo"), redo, { disabled: !table.can_redo }), hasPicture() ? iconButton("camera", word("camera"), swap) : null, menu(table)] : null,
      table ? iconButton("letters", word("letters"), toggleLarge, { "aria-pressed": String(store.large), class: "bare wide-only" }) : null,
      iconButton(store.theme === "dark" ? "sun" : "moon", word("dark"), toggleTheme, { "data-key": "theme", class: "bare wide-only" }),
      h("button", { type: "button", class: "bare language", "data-key": "language", lang: store.language === "en" ? "de" : "en", onclick: toggleLanguage, "aria-label": word("language") }, store.language === "en" ? "DE" : "EN"),
      table ? iconButton("help", word("help"), toggleHelp, { "aria-expanded": String(Boolean(store.help)), class: "bare wide-only" }) : null),
  ];
}


/** What can be taken along, and the rarer things. */
function menu(table) {
  const close = (event) => { event.currentTarget.closest("details").open = false; };
  const item = (text, props) => h(props.href ? "a" : "button", { ...(props.href ? {} : { type: "button" }), class: "item", ...props, onclick: (event) => { props.onclick?.(event); close(event); } }, text);
  return h("details", { class: "menu", "data-key": "menu" }, h("summary", { "aria-label": word("more"), title: word("more"), "data-key": "menu-summary" }, "⋯"),
    h("div", { class: "items" },
      h("h2", {}, word("export")),
      item(word("export.text"), { href: pictureAddress("/log.txt"), download: "" }), item(word("export.json"), { href: pictureAddress("/log.json"), download: "" }),
      item(word("export.sheet"), { href: pictureAddress(`/sheet.pdf?language=${store.language}`), download: "" }), item(word("export.sheet.picture"), { href: pictureAddress(`/sheet.png?language=${store.language}`), download: "" }),
      item(word("export.picture"), { onclick: () => using("./views/export.js", ({ savePicture }) => savePicture()) }), item(word("export.link"), { onclick: copyLink }),
      h("hr", {}),
      store.me?.may === "look" ? null : photograph(),
      item(word("hand"), { href: `/table/${encodeURIComponent(table.id)}/hand`, onclick: go }),
      store.me?.may === "all" ? item(word("phones"), { href: "/phones", onclick: go }) : null,
      item(word("dark"), { onclick: toggleTheme }), item(word("letters"), { onclick: toggleLarge }), item(word("voice"), { onclick: () => setting("voice", !store.voice), "aria-pressed": String(store.voice) }),
      item(word(table.closed ? "table.out" : "table.away"), { onclick: () => shelve(!table.closed) }), item(word("help"), { onclick: toggleHelp })));
}

/** A phone's own camera opens, or its pictures; elsewhere a file is chosen. */
function photograph() {
  return h("label", { class: "item" }, word("photo.send"), h("input", { type: "file", class: "unseen", accept: "image/*", "data-key": "send-photo", onchange: (event) => { event.currentTarget.closest("details").open = false; sendPhoto(event.target.files[0]); } }));
}

function copyLink() {
  const at = store.at ?? store.table.entries.length;
  navigator.clipboard?.writeText(`${location.origin}/table/${encodeURIComponent(store.table.id)}?at=${at}`);
  set({ message: { text: word("export.copied") } });
}

const KEYS = [["← →", "arrows"], ["␣", "space"], ["1 2 3", "123"], ["N", "n"], ["U", "u"], ["R", "r"], ["C", "c"], ["L", "l"], ["D", "d"], ["Esc", "esc"], ["?", "q"]];

export function help() {
  return h("section", { class: "card help", "aria-label": word("help.title") },
    h("div", { class: "title-row" }, h("h2", {}, word("help.title")), iconButton("close", word("field.close"), toggleHelp)),
    h("dl", {}, KEYS.map(([key, what]) => [h("dt", {}, key.split(" ").map((each) => h("kbd", {}, each))), h("dd", {}, word(`help.${what}`))])),
    h("p", { class: "quiet small" }, word("board.walk")), h("p", { class: "quiet small" }, word("help.drag")));
}
