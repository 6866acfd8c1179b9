// The picture of the moment, with the fields' outlines over it: this browser's camera, or that of another device
// (a phone) that has this page open.

import { h, s } from "../dom.js";
import { get, sendFile } from "./api.js";
import * as camera from "./camera.js";
import { button, draw, go, here, said, w, work } from "./state.js";

const DEVICE = Math.random().toString(36).slice(2, 8);
const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");

/** The preview; null where no camera is on anywhere. */
export function liveView() {
  if (!camera.isOn() && !here.live) return null;
  const [width, height] = here.now?.size_px ?? [16, 9];
  const picture = camera.view() ?? h("img", { src: `/setup/api/live.jpg?t=${Date.now()}`, alt: w("camera.other") });
  return h("div", { class: "live-frame", vars: { "--ratio": width / height } }, picture,
    s("svg", { viewBox: `-0.5 -0.5 ${width} ${height}`, "aria-hidden": "true" }, outlines()));
}

const outlines = () => Object.entries(camera.isOn() ? here.now?.outlines ?? {} : {}).map(([id, outline]) => s("polygon", { points: points(outline), "data-field": id }));

/** New outlines and health, without disturbing whoever types or drags. */
function refresh() {
  const box = document.querySelector(".live-frame");
  if (!box) return;
  const [width, height] = here.now?.size_px ?? [16, 9];
  box.style.setProperty("--ratio", width / height);
  const drawing = box.querySelector("svg");
  drawing.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  drawing.replaceChildren(...outlines());
  const image = box.querySelector("img");
  if (image) image.src = `/setup/api/live.jpg?t=${Date.now()}`;
  const old = document.querySelector('[data-step="health"]'), made = healthView();
  if (old && made) old.replaceWith(made);
  else if (made && here.step === "camera") draw();
}

/** Sends this camera's picture of the moment, for the other devices and for its health. */
export async function sendLive() {
  if (!camera.isOn() || !here.draft || !["camera", "board", "pieces", "done"].includes(here.step)) return;
  here.now = await sendFile(`/live?device=${DEVICE}&rate=${camera.rate()}`, await camera.grab());
  here.health = here.now.health;
  refresh();
}

/** A camera elsewhere came or went. */
export function heard(device) {
  const other = device && device !== DEVICE ? device : null;
  const changed = Boolean(other) !== Boolean(here.live);
  here.live = other;
  if (changed) draw();
  else if (other) refresh();
}

export function healthView() {
  const { health } = here;
  if (!health) return null;
  return h("div", { class: `said ${health.grade}`, "data-step": "health" }, h("p", {}, said(health.advice)),
    h("ul", { class: "health" }, health.measures.map((each) => h("li", { class: each.grade }, h("span", {}, said(each.label)), h("span", { class: "number" }, `${Math.round(each.value * 100) / 100} ${each.unit}`)))));
}

/** A picture from a camera, or a photograph that is chosen; `path` is where it goes. */
export function pictureButtons(label, path, then = (answer) => answer) {
  const use = async (blob) => then(await sendFile(`/${path}`, blob));
  const other = !camera.isOn() && here.live;
  return h("div", { class: "row" },
    camera.isOn() ? button(label, () => work(label, async () => use(await camera.grab())), { class: "main", "data-key": "take" }) : null,
    other ? button(label, () => work(label, async () => then(await sendFile(`/${path}?from=live`, new Blob()))), { class: "main", "data-key": "take" }) : null,
    h("label", { class: "file" }, w("photo"),
      h("input", { type: "file", accept: "image/*", "data-key": "file", "aria-label": `${label}: ${w("photo")}`, disabled: Boolean(here.busy), onchange: (event) => event.target.files[0] && work(label, () => use(event.target.files[0])) })),
    camera.isOn() || other ? null : button(w("camera.choose"), () => go("camera"), { class: "link" }));
}

/** The code that a phone scans to take the pictures. */
export function phoneView() {
  const { phone } = here;
  if (!phone) return null;
  if (!phone.lan) return h("p", { class: "quiet small" }, w("phone.off"));
  return h("details", { class: "phone", "data-key": "phone" }, h("summary", {}, w("phone")),
    h("p", {}, w("phone.how")), h("img", { src: "/setup/api/phone.svg", alt: phone.address, width: 220, height: 220 }), h("p", { class: "quiet small" }, phone.address));
}

/** Whether phones can come, where this device may tell them. */
export async function loadPhone() {
  try { here.phone = await get("/phone"); } catch { here.phone = null; }
}
