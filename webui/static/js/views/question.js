// What is asked of the people: a question with two or three answers, or an alarm with three ways out.

import { h } from "../dom.js";
import { store } from "../store.js";
import { allow, answer } from "../table.js";
import { sentence, word } from "../words.js";
import { difference } from "./still.js";

/** `preview(change)` shows a difference on the board, `open(field)` opens a field. */
export function question({ preview, open }) {
  const { status } = store.table;
  if (store.at !== null) return null;
  if (status.name === "asking") return asking(status, preview);
  if (status.name === "out_of_step") return alarm(status, open);
  return null;
}

function asking(status, preview) {
  return h("section", { class: "card ask", "aria-label": word("ask.title") },
    h("h2", {}, sentence(status.message)),
    h("ol", { class: "answers" }, status.answers.map((each, i) => h("li", {},
      h("button", {
        type: "button", class: "answer", "data-key": `answer-${i}`, onclick: () => answer(i, each.text),
        onpointerenter: () => preview(each.change), onpointerleave: () => preview(null), onfocus: () => preview(each.change), onblur: () => preview(null),
      }, h("kbd", { title: word("ask.key", i + 1) }, String(i + 1)), h("span", { class: "what" }, sentence(each.text)), share(each), h("span", { class: "cutout" }, picture(each, status.answers)))))),
    h("p", { class: "quiet small pointing" }, word("ask.point")));
}

const pictures = new WeakMap(); // drawn once for each answer that is asked

function picture(each, answers) {
  const drawn = pictures.get(each);
  if (drawn?.theme === store.theme && drawn.language === store.language) return drawn.element;
  const element = difference(each.change, answers.map((other) => other.change));
  pictures.set(each, { element, theme: store.theme, language: store.language });
  return element;
}

function share(each) {
  return typeof each.probability === "number" ? h("span", { class: "quiet number" }, `${Math.round(each.probability * 100)} %`) : null;
}

function alarm(status, open) {
  const { alarm: told } = status;
  const fields = (status.places ?? []).flatMap((place) => place.replace("^", "").split("+"));
  const possible = !told?.repairs || told.repairs.some((each) => each.kind === "allow");
  return h("section", { class: "card alarm", "aria-label": word("alarm.title"), role: "alert" },
    h("h2", {}, word("alarm.title")),
    h("p", { class: "seen" }, sentence(told?.seen ?? status.message)),
    told?.expected ? h("p", {}, sentence(told.expected)) : null,
    told?.reason ? h("p", { class: "rule" }, sentence(told.reason)) : null,
    h("div", { class: "ways", role: "group", "aria-label": word("alarm.ways") },
      h("p", { class: "way" }, h("b", {}, word("alarm.back")), h("span", { class: "small" }, repair(told, "put_back") || word("alarm.back.text"))),
      h("button", { type: "button", class: "way", "data-key": "wrong", disabled: !fields.length, onclick: (event) => open(fields[0], event.detail === 0) }, h("b", {}, word("alarm.wrong")), h("span", { class: "small" }, word("alarm.wrong.text"))),
      h("button", { type: "button", class: "way", "data-key": "allow", disabled: !possible, onclick: allow }, h("b", {}, word("alarm.allow")), h("span", { class: "small" }, word(possible ? "alarm.allow.text" : "alarm.allow.never")))));
}

/** The referee's own words for a way out. */
function repair(told, kind) {
  const found = told?.repairs?.find((each) => each.kind === kind);
  return found ? sentence(found.text) : null;
}
