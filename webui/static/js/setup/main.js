// The set-up page: choose a camera, show lens, board and pieces, keep a profile. One step at a time; every device
// that has the page open sees the same set-up, so a phone can take the pictures.

import { h, show } from "../dom.js";
import { recall, remember } from "../store.js";
import { boardView } from "./board.js";
import { get, pair, Refused, send, sendFile } from "./api.js";
import * as camera from "./camera.js";
import { keptView, refreshProfiles } from "./kept.js";
import { healthView, heard, liveView, loadPhone, phoneView, pictureButtons, sendLive } from "./live.js";
import { piecesView } from "./pieces.js";
import { button, draw, go, here, next, onDraw, sayStep, said, speak, STEPS, take, w, work } from "./state.js";
import { thing, token } from "../words.js";

const POLL_MS = 1500;
const HOME_MADE_MM = [400, 400];
const box = document.getElementById("setup");

const VIEWS = { start: startView, camera: cameraView, lens: lensView, board: boardView, pieces: piecesView, done: doneView };

function startView() {
  const { choices, draft, edition } = here;
  const choose = (name, label, options, props = {}) => h("label", {}, w(label), h("select", { name, "data-key": name, ...props }, options.map(([value, text, selected]) => h("option", { value, selected }, text))));
  const form = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); begin(new FormData(event.target)); } },
    h("label", { class: "wide" }, w("name"), h("input", { type: "text", name: "name", required: true, maxlength: 60, value: here.name ?? draft?.name ?? w("name.usual"), "data-key": "name", oninput: (event) => { here.name = event.target.value; } })),
    choose("edition", "edition", ["kit", "other", "home"].map((each) => [each, w(`edition.${each}`), each === edition]), { onchange: (event) => { here.edition = event.target.value; draw(); } }),
    edition === "home" ? null : choose("board", "board", Object.entries(choices.boards).map(([id, name]) => [id, said(name), id === here.chosen]), { onchange: (event) => { here.chosen = event.target.value; } }),
    edition === "home" ? null : choose("game", "game", [["", w("game.any"), !here.game], ...Object.entries(choices.games).map(([id, title]) => [id, said(title), id === here.game])], { onchange: (event) => { here.game = event.target.value; } }),
    h("button", { type: "submit", class: "main", "data-key": "begin", disabled: Boolean(here.busy) }, w("start")));
  return [form, keptView()];
}

const begin = (data) => work(w("start"), async () => {
  const home = { id: "my-board", size_mm: HOME_MADE_MM, fields: [], pieces: {} };
  const answer = await send("POST", "", { name: data.get("name"), board: here.edition === "home" ? home : data.get("board"), game: data.get("game") || null });
  Object.assign(here, { corners: null, mine: false, moving: null, fields: {}, shapes: [], size: "", kinds: null, offered: null, now: null, step: "camera" });
  return answer;
});

function cameraView() {
  const devices = camera.devices();
  return [
    h("p", {}, w("camera.how")),
    h("div", { class: "row" },
      camera.possible() ? button(camera.isOn() ? w("camera.again") : w("camera.on"), () => work(w("camera.on"), () => camera.start()), { class: camera.isOn() ? "" : "main", "data-key": "camera-on" }) : h("p", { class: "quiet" }, w("camera.none")),
      devices.length > 1 ? h("label", {}, w("camera.which"), h("select", { "data-key": "device", onchange: (event) => work(w("camera.on"), () => camera.start(event.target.value)) }, devices.map((device, n) => h("option", { value: device.deviceId, selected: device.deviceId === camera.chosen() }, device.label || `${w("camera")} ${n + 1}`)))) : null),
    liveView(),
    here.live && !camera.isOn() ? h("p", { class: "said good", "data-step": "other" }, w("camera.other")) : null,
    camera.isOn() ? healthView() : null,
    phoneView(),
    next("lens"),
  ];
}

function lensView() {
  const cover = here.draft?.coverage;
  return [
    h("p", {}, w("lens.how")),
    liveView(),
    pictureButtons(w("lens.take"), "lens"),
    camera.isOn() ? h("div", { class: "row" }, button(here.watching ? w("lens.stop") : w("lens.watch"), () => { here.watching = !here.watching; draw(); }, { "data-key": "watch", "aria-pressed": String(here.watching) })) : null,
    cover?.photos ? h("div", { class: "covers", role: "img", "aria-label": `${w("lens.covered")}: ${Math.round(cover.share * 100)} %` }, cover.counts.flat().map((n) => h("span", { class: n >= 4 ? "full" : "" }, n || ""))) : null,
    cover?.photos ? h("p", { "data-step": "hint" }, `${cover.photos} · ${said(cover.hint)}`) : null,
    sayStep("lens"),
    next("board"),
  ];
}

function doneView() {
  const { draft, seen } = here;
  return [
    h("p", {}, w("done.how")),
    h("div", { class: "row" }, button(w("save"), () => work(w("save"), async () => { const answer = await send("POST", "/save"); await refreshProfiles(); return answer; }), { class: "main", "data-key": "save" })),
    draft?.saved ? h("p", { class: "said good", "data-step": "saved" }, w("saved", draft.name)) : null,
    h("h2", {}, w("prove")),
    liveView(),
    pictureButtons(w("prove.take"), "read", (answer) => { here.seen = answer; }),
    seen ? h("ul", { class: "found", "data-step": "read" }, (seen.pieces ?? []).map((piece) => h("li", {}, `${token(piece.fields?.join("+") ?? piece.field ?? "")}: ${thing(piece)}`))) : null,
    seen && !(seen.pieces ?? []).length ? h("p", {}, w("prove.nothing")) : null,
    keptView(),
  ];
}

onDraw(() => {
  if (!here.choices) return;
  const { step, draft } = here;
  const done = { start: Boolean(draft), camera: camera.isOn() || Boolean(here.live), lens: Boolean(draft?.steps.lens), board: Boolean(draft?.steps.board && draft.corners_px.length), pieces: Boolean(draft?.steps.pieces), done: Boolean(draft?.saved) };
  show(box,
    h("header", {}, h("h1", {}, w("title")), h("a", { href: "/", class: "button" }, w("home")),
      button(here.language === "de" ? "English" : "Deutsch", () => { speak(here.language === "de" ? "en" : "de"); remember("language", here.language); draw(); }, { "data-key": "language", disabled: false })),
    h("nav", { class: "steps", "aria-label": w("steps") }, STEPS.map((name, n) => button(`${n + 1} ${w(`step.${name}`)}`, () => go(name), { class: done[name] ? "done" : "", "aria-current": name === step ? "step" : null, disabled: name !== "start" && !draft, "data-key": `step-${name}` }))),
    h("section", { class: "step" }, h("h2", { tabindex: -1 }, w(`step.${step}`)), VIEWS[step](),
      here.busy ? h("p", { class: "quiet", role: "status" }, w("busy", here.busy)) : null,
      here.error ? h("p", { class: "said poor", role: "alert" }, here.error) : null));
});

/** Looks whether another device changed something, sends this camera's picture, takes the lens sheet by itself. */
async function poll() {
  if (!here.busy && !here.dragging && document.visibilityState === "visible") {
    try {
      const asked = here.draft?.version;
      const { draft, live } = await get("");
      if (here.busy || here.dragging || here.draft?.version !== asked) return; // older than what is known by now
      if (draft && draft.version !== here.draft?.version) { take(draft); draw(); }
      heard(live);
      if (here.watching && camera.isOn()) await watchSheet();
      else await sendLive();
    } catch { /* the next round tries again */ } finally { setTimeout(poll, POLL_MS); }
    return;
  }
  setTimeout(poll, POLL_MS);
}

async function watchSheet() {
  try {
    const answer = await sendFile("/lens", await camera.grab());
    if (answer.version !== here.draft.version) { take(answer); draw(); }
    document.getElementById("live").textContent = said(answer.coverage.hint);
    if (answer.coverage.good) { here.watching = false; draw(); }
  } catch (error) {
    if (!(error instanceof Refused)) throw error; // no sheet in this picture: the next one may show it
  }
}

/** A phone that scanned the code is let in by it. */
async function comeIn() {
  const code = new URLSearchParams(location.search).get("code");
  if (!code) return false;
  history.replaceState(null, "", "/setup");
  await pair(code);
  return true;
}

document.documentElement.dataset.theme = recall("theme", matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
camera.onchange(draw);
try {
  const scanned = await comeIn();
  here.choices = await get("");
  if (here.choices.draft) take(here.choices.draft);
  // A phone begins where the set-up is.
  if (scanned && here.draft) here.step = !here.draft.corners_px.length ? "board" : !here.draft.steps.pieces ? "pieces" : "done";
  await refreshProfiles();
  await loadPhone();
} catch (error) {
  here.choices ??= { boards: {}, games: {}, layouts: [] };
  here.error = error.message;
}
draw();
setTimeout(poll, POLL_MS);
