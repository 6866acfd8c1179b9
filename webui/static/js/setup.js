// The set-up page: choose a camera, show lens, board and pieces, keep a profile. One step at a time; every device
// that has the page open sees the same set-up, so a phone can take the pictures.

import { get, Refused, send, sendFile } from "./setup-api.js";
import { h, s, show } from "./dom.js";
import { words } from "./words/setup.js";
import { corner, frame } from "./setup-frame.js";
import * as camera from "./setup-camera.js";

const STEPS = ["start", "camera", "lens", "board", "pieces", "done"];
const POLL_MS = 2500;
const box = document.getElementById("setup");
const here = { step: "start", draft: null, choices: null, profiles: [], error: "", busy: "", corners: null, fields: {}, other: false, health: null, seen: null, language: navigator.language.startsWith("de") ? "de" : "en" };

const w = (key, ...values) => {
  const found = words[here.language][key] ?? key;
  return typeof found === "function" ? found(...values) : found;
};
const said = (text) => (text ? text[here.language] ?? text.en : "");
const encoded = encodeURIComponent;

/** Does something that takes a moment; what goes wrong is said on the page. */
async function work(what, doing) {
  Object.assign(here, { busy: what, error: "" });
  draw();
  try {
    const answer = await doing();
    if (answer?.version !== undefined) take(answer);
  } catch (error) {
    here.error = error instanceof Refused ? (error.message === "offline" ? w("offline") : error.message) : String(error);
  }
  here.busy = "";
  draw();
  document.getElementById("live").textContent = here.error || said(here.draft?.steps?.[here.step]?.text);
}

function take(draft) {
  here.draft = draft;
  // Corners that a person set stay where he set them; the outlines show what was made of them.
  if (draft.corners_px?.length === 4 && !here.mine) here.corners = draft.corners_px.map((point) => [...point]);
}

function go(step) {
  here.step = step;
  here.error = "";
  draw();
  box.querySelector(".step h2")?.focus();
}

const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, "data-key": props["data-key"] ?? text, disabled: Boolean(here.busy), ...props }, text);

/** A picture from the camera, or a photograph that is chosen: both end in `use(blob)`. */
function pictureButtons(label, use) {
  return h("div", { class: "row" },
    camera.isOn() ? button(label, () => work(label, async () => use(await camera.grab())), { class: "main", "data-key": "take" }) : null,
    h("label", { class: "file" }, w("photo"),
      h("input", { type: "file", accept: "image/*", capture: "environment", "data-key": "file", "aria-label": `${label}: ${w("photo")}`, disabled: Boolean(here.busy), onchange: (event) => event.target.files[0] && work(label, () => use(event.target.files[0])) })),
    camera.isOn() ? null : button(w("camera.choose"), () => go("camera"), { class: "link" }));
}

const upload = (path) => (blob) => sendFile(`/${path}`, blob);

function sayStep(name) {
  const step = here.draft?.steps?.[name];
  if (!step) return null;
  return h("div", { class: `said ${step.grade}`, "data-step": name }, h("p", {}, said(step.text)), step.advice ? h("p", { class: "advice" }, said(step.advice)) : null);
}

const next = (step) => h("div", { class: "row" }, button(w("next"), () => go(step), { "data-key": "next" }));

const VIEWS = {
  start() {
    const { choices, draft } = here;
    const form = h("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const data = new FormData(event.target);
      here.other = data.get("edition") === "other";
      const board = data.get("board");
      work(w("start"), async () => { const answer = await send("POST", "", { name: data.get("name"), board, game: data.get("game") || null }); here.corners = null; here.mine = false; here.fields = {}; here.step = "camera"; return answer; });
    } },
    h("label", { class: "wide" }, w("name"), h("input", { type: "text", name: "name", required: true, maxlength: 60, value: draft?.name ?? w("name.usual"), "data-key": "name" })),
    h("label", {}, w("board"), h("select", { name: "board", "data-key": "board" }, choices.boards.map((id) => h("option", { value: id }, id)))),
    h("label", {}, w("edition"), h("select", { name: "edition", "data-key": "edition" }, h("option", { value: "kit" }, w("edition.kit")), h("option", { value: "other" }, w("edition.other")))),
    h("label", {}, w("game"), h("select", { name: "game", "data-key": "game" }, h("option", { value: "" }, w("game.any")), choices.games.map((id) => h("option", { value: id }, id)))),
    h("button", { type: "submit", class: "main", "data-key": "begin", disabled: Boolean(here.busy) }, w("start")));
    return [form, kept()];
  },

  camera() {
    return [
      h("p", {}, w("camera.how")),
      h("div", { class: "row" },
        camera.possible() ? button(camera.isOn() ? w("camera.again") : w("camera.on"), () => work(w("camera.on"), () => camera.start()), { class: camera.isOn() ? "" : "main", "data-key": "camera-on" }) : h("p", { class: "quiet" }, w("camera.none")),
        camera.devices().length > 1 ? h("label", {}, w("camera.which"), h("select", { "data-key": "device", onchange: (event) => work(w("camera.on"), () => camera.start(event.target.value)) }, camera.devices().map((device, n) => h("option", { value: device.deviceId, selected: device.deviceId === camera.chosen() }, device.label || `${w("camera")} ${n + 1}`)))) : null),
      camera.view(),
      camera.isOn() ? healthView() : null,
      h("p", { class: "quiet small" }, w("camera.phone"), " ", h("a", { href: "/phones" }, w("camera.phones"))),
      next("lens"),
    ];
  },

  lens() {
    const cover = here.draft?.coverage;
    return [
      h("p", {}, w("lens.how")),
      camera.view(),
      pictureButtons(w("lens.take"), upload("lens")),
      cover?.photos ? h("div", { class: "covers", role: "img", "aria-label": `${w("lens.covered")}: ${Math.round(cover.share * 100)} %` }, cover.counts.flat().map((n) => h("span", { class: n >= 4 ? "full" : "" }, n || ""))) : null,
      cover?.photos ? h("p", {}, `${cover.photos} · ${said(cover.hint)}`) : null,
      sayStep("lens"),
      next("board"),
    ];
  },

  board() {
    const draft = here.draft;
    return [
      h("p", {}, w("board.how")),
      camera.view(),
      pictureButtons(w("board.take"), async (blob) => { const answer = await upload("empty")(blob); here.corners = null; here.mine = false; return answer; }),
      draft?.size_px ? boardPicture(draft) : null,
      sayStep("board"),
      Object.keys(draft?.outlines ?? {}).length ? h("p", {}, w("board.fits")) : null,
      Object.keys(draft?.outlines ?? {}).length ? h("div", { class: "row" }, button(w("board.yes"), () => go("pieces"), { class: "main", "data-key": "fits" })) : null,
    ];
  },

  pieces() {
    const { draft } = here;
    return [
      h("p", {}, w("pieces.how")),
      camera.view(),
      pictureButtons(w("pieces.take"), upload("pieces")),
      draft?.shown.length ? h("div", { class: "chips" }, draft.shown.map((each) => h("span", { class: "chip" }, s("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("circle", { cx: 5, cy: 5, r: 4.6, fill: `rgb(${each.rgb.join(",")})`, stroke: "#777", "stroke-width": 0.5 })), w(each.colour), " ", w(each.kind)))) : null,
      sayStep("pieces"),
      next("done"),
    ];
  },

  done() {
    const { draft, seen } = here;
    return [
      h("p", {}, w("done.how")),
      h("div", { class: "row" }, button(w("save"), () => work(w("save"), async () => { const answer = await send("POST", "/save"); await refreshProfiles(); return answer; }), { class: "main", "data-key": "save" })),
      draft?.saved ? h("p", { class: "said good", "data-step": "saved" }, w("saved", draft.name)) : null,
      h("h2", {}, w("prove")),
      camera.view(),
      pictureButtons(w("prove.take"), async (blob) => { here.seen = await sendFile("/read", blob); }),
      seen ? h("ul", { class: "found", "data-step": "read" }, (seen.pieces ?? []).map((piece) => h("li", {}, `${piece.fields?.join(" + ") ?? piece.field ?? ""}: ${w(piece.colour ?? "")} ${w(piece.kind)}${piece.value ? ` ${piece.value}` : ""}`))) : null,
      seen && !(seen.pieces ?? []).length ? h("p", {}, w("prove.nothing")) : null,
      kept(),
    ];
  },
};

/** The empty board with outlines, corner handles and, for other editions, fields to point at. */
function boardPicture(draft) {
  const [width, height] = draft.size_px;
  here.corners ??= draft.corners_px?.length === 4 ? draft.corners_px.map((point) => [...point]) : [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * width, y * height]);
  const names = ["corner.tl", "corner.tr", "corner.br", "corner.bl"].map((key) => w(key));
  const moved = () => { here.dragging = here.mine = true; };
  const dropped = () => { here.dragging = false; if (!here.other) sendCorners(); };
  const handles = [
    ...here.corners.map((point, n) => corner(point, names[n], [width, height], { moved, dropped, key: `corner-${n}` })),
    ...Object.entries(here.fields).map(([name, point]) => corner(point, name, [width, height], { moved, dropped: () => { here.dragging = false; }, key: `field-${name}` })),
  ];
  const picture = frame(`/setup/api/empty.jpg?v=${draft.version}`, [width, height], { outlines: draft.outlines, corners: here.corners, handles });
  return h("div", { class: "board-picture" }, picture,
    h("p", { class: "quiet small" }, w("board.corners")),
    here.other ? teaching(draft, [width, height]) : h("div", { class: "row" }, button(w("board.send"), sendCorners, { "data-key": "corners" })));
}

const sendCorners = () => work(w("board.send"), () => send("POST", "/corners", { corners_px: here.corners }));

/** Another edition: its size, and a few of its fields pointed at. */
function teaching(draft, [width, height]) {
  const known = draft.layout === "knizia" ? ["space-A", "space-J", "space-R", "space-E", "line-1"] : ["ring-1", "ring-11", "ring-21", "slot-6", "pit-16-day", "trilith-1", "trilith-4", "bluestone-1", "bluestone-10", "altar"];
  const size = h("input", { type: "text", value: here.size ?? draft.size_mm.join(" x "), "data-key": "size", onchange: (event) => { here.size = event.target.value; } });
  const field = h("input", { type: "text", value: known.find((name) => !(name in here.fields)) ?? "", "data-key": "field", list: "known-fields" });
  return h("div", { class: "row" },
    h("label", {}, w("teach.size"), size),
    h("label", {}, w("teach.field"), field, h("datalist", { id: "known-fields" }, known.map((name) => h("option", { value: name })))),
    button(w("teach.add"), () => { if (field.value) here.fields[field.value] = [width / 2, height / 2]; draw(); box.querySelector(`[data-key="field-${CSS.escape(field.value)}"]`)?.focus(); }, { "data-key": "add-field" }),
    button(w("teach.fit"), () => work(w("teach.fit"), () => send("POST", "/teach", { layout: draft.layout, size_mm: (here.size ?? size.value).split(/[x×,; ]+/).map(Number), corners_px: here.corners, fields: here.fields })), { class: "main", "data-key": "teach" }));
}

function healthView() {
  const { health } = here;
  if (!health) return null;
  return h("div", { class: `said ${health.grade}`, "data-step": "health" }, h("p", {}, said(health.advice)),
    h("ul", { class: "health" }, health.measures.map((each) => h("li", { class: each.grade }, h("span", {}, said(each.label)), h("span", { class: "number" }, `${Math.round(each.value * 100) / 100} ${each.unit}`)))));
}

function kept() {
  if (!here.profiles.length) return null;
  return h("section", {}, h("h2", {}, w("kept")), h("ul", { class: "profiles" }, here.profiles.map((each) => h("li", {}, h("b", {}, each.name), h("span", { class: "quiet small" }, each.board),
    h("a", { href: `/setup/api/profiles/${encoded(each.name)}.zip`, download: `${each.name}.zip` }, w("export")),
    button(w("rename"), () => { const name = prompt(w("rename.to"), each.name); if (name && name !== each.name) work(w("rename"), async () => { await send("POST", `/profiles/${encoded(each.name)}/name`, { name }); await refreshProfiles(); }); }, { "data-key": `rename-${each.name}` }),
    button(w("delete"), () => { if (confirm(w("delete.sure", each.name))) work(w("delete"), async () => { await send("DELETE", `/profiles/${encoded(each.name)}`); await refreshProfiles(); }); }, { "data-key": `delete-${each.name}` })))),
    h("label", { class: "file" }, w("import"), h("input", { type: "file", accept: ".zip", "data-key": "import", onchange: (event) => event.target.files[0] && work(w("import"), async () => { await sendFile("/profiles", event.target.files[0]); await refreshProfiles(); }) })));
}

async function refreshProfiles() {
  here.profiles = await get("/profiles");
}

function draw() {
  if (!here.choices) return;
  const { step, draft } = here;
  document.documentElement.lang = here.language;
  const done = { start: Boolean(draft), camera: camera.isOn(), lens: Boolean(draft?.steps.lens), board: Boolean(draft?.steps.board && draft.corners_px.length), pieces: Boolean(draft?.steps.pieces), done: Boolean(draft?.saved) };
  show(box,
    h("header", {}, h("h1", {}, w("title")), h("a", { href: "/", class: "small" }, w("home")),
      button(here.language === "de" ? "English" : "Deutsch", () => { here.language = here.language === "de" ? "en" : "de"; draw(); }, { "data-key": "language", disabled: false })),
    h("nav", { class: "steps", "aria-label": w("steps") }, STEPS.map((name, n) => button(`${n + 1} ${w(`step.${name}`)}`, () => go(name), { class: done[name] ? "done" : "", "aria-current": name === step ? "step" : null, disabled: name !== "start" && !draft, "data-key": `step-${name}` }))),
    h("section", { class: "step" }, h("h2", { tabindex: -1 }, w(`step.${step}`)), VIEWS[step](),
      here.busy ? h("p", { class: "quiet", role: "status" }, w("busy", here.busy)) : null,
      here.error ? h("p", { class: "said poor", role: "alert" }, here.error) : null));
}

async function poll() {
  if (!here.busy && !here.dragging && document.visibilityState === "visible") {
    try {
      const { draft } = await get("");
      if (draft && draft.version !== here.draft?.version) { take(draft); draw(); }
      if (here.step === "camera" && camera.isOn() && draft) { here.health = await sendFile(`/health?rate=${camera.rate()}`, await camera.grab()); draw(); }
    } catch { /* the next round tries again */ }
  }
  setTimeout(poll, POLL_MS);
}

camera.onchange(draw);
try {
  here.choices = await get("");
  if (here.choices.draft) take(here.choices.draft);
  await refreshProfiles();
} catch (error) {
  here.choices ??= { boards: [], games: [], layouts: [] };
  here.error = error.message;
}
draw();
setTimeout(poll, POLL_MS);
