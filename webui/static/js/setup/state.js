// What the set-up page knows, and the few things that every step needs.

import { h } from "../dom.js";
import { recall, store } from "../store.js";
import { words } from "../words/setup.js";
import { Refused } from "./api.js";

export const STEPS = ["start", "camera", "lens", "board", "pieces", "done"];
export const here = {
  step: "start", draft: null, choices: null, profiles: [], error: "", busy: "", running: 0, corners: null, mine: false, dragging: false,
  edition: "kit", fields: {}, shapes: [], size: "", moving: null, health: null, now: null, live: null, phone: null, watching: false, seen: null,
  language: "en",
};

/** In which language the page speaks, of pieces and places as well. */
export function speak(language) {
  here.language = store.language = language;
  document.documentElement.lang = language;
}
speak(recall("language", navigator.language.startsWith("de") ? "de" : "en"));

export const encoded = encodeURIComponent;
let redraw = () => {};
export const onDraw = (drawing) => { redraw = drawing; };
export const draw = () => redraw();

export const w = (key, ...values) => {
  const found = words[here.language][key] ?? key;
  return typeof found === "function" ? found(...values) : found;
};
export const said = (text) => (text ? text[here.language] ?? text.en : "");

/** Does something that takes a moment; what goes wrong is said on the page. */
export async function work(what, doing) {
  Object.assign(here, { busy: what, error: "", running: here.running + 1 });
  draw();
  try {
    const answer = await doing();
    if (answer?.version !== undefined) take(answer);
  } catch (error) {
    here.error = error instanceof Refused ? (error.message === "offline" ? w("offline") : error.message) : String(error);
  }
  here.running -= 1;
  if (!here.running) here.busy = "";
  draw();
  document.getElementById("live").textContent = here.error || said(here.draft?.steps?.[here.step]?.text);
}

export function take(draft) {
  here.draft = draft;
  // Corners that a person set stay where he set them; the outlines show what was made of them.
  if (draft.corners_px?.length === 4 && !here.mine) here.corners = draft.corners_px.map((point) => [...point]);
}

export function go(step) {
  Object.assign(here, { step, error: "", moving: null, watching: false });
  draw();
  document.querySelector(".step h2")?.focus();
}

export const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, "data-key": props["data-key"] ?? text, disabled: Boolean(here.busy), ...props }, text);

export const next = (step) => h("div", { class: "row" }, button(w("next"), () => go(step), { "data-key": "next" }));

export function sayStep(name) {
  const step = here.draft?.steps?.[name];
  if (!step) return null;
  return h("div", { class: `said ${step.grade}`, "data-step": name }, h("p", {}, said(step.text)), step.advice ? h("p", { class: "advice" }, said(step.advice)) : null);
}
