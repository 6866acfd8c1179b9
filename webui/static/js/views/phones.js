// Letting other devices in: the two codes at the machine at the table, and the field where a phone types one.

import { get } from "../api.js";
import { h, show } from "../dom.js";
import { go } from "../route.js";
import { set, store } from "../store.js";
import { word } from "../words.js";
import { message } from "./banner.js";

export async function loadPhones() {
  set({ codes: await get("/pairing") });
}

export function phonesView(box) {
  const { codes } = store;
  show(box, h("div", { class: "page-part" }, h("h1", {}, word("phones")), message(),
    !codes ? h("p", { class: "quiet" }, word("working")) : !codes.lan ? h("p", { class: "quiet" }, word("phones.off")) : h("div", { class: "codes" }, Object.entries(codes.codes).map(([right, each]) => code(right, each)))));
}

function code(right, { code: letters, address }) {
  return h("section", { class: "card code" }, h("h2", {}, word(`phones.${right}`)), h("p", { class: "quiet small" }, word(`phones.${right}.text`)),
    h("img", { src: `/api/pairing/${right}.svg`, alt: address, width: 220, height: 220 }), h("p", { class: "letters number" }, letters), h("p", { class: "quiet small" }, address.replace(/\/pair\/.*/, "")));
}

export function pairView(box) {
  show(box, h("form", { class: "page-part pin", onsubmit: (event) => { event.preventDefault(); go(`/pair/${encodeURIComponent(event.target.elements.code.value.trim())}`); } },
    h("h1", {}, word("pair")), h("p", {}, word("pair.text")),
    h("label", { class: "stacked" }, word("pair.code"), h("input", { type: "text", name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true, maxlength: 12, "data-key": "code" })),
    h("button", { type: "submit", class: "main" }, word("pair.go")), message()));
}
