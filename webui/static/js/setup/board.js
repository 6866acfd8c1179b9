// The board: its corners, the fields' outlines over the empty board, and what puts them right; another edition
// that is taught by some of its fields, and a home-made board that is drawn.

import { h } from "../dom.js";
import { send } from "./api.js";
import { corner, frame } from "./frame.js";
import { liveView, pictureButtons } from "./live.js";
import { button, draw, go, here, said, sayStep, w, work } from "./state.js";

const KNOWN = {
  knizia: ["space-A", "space-J", "space-R", "space-E", "line-1"],
  anthology: ["ring-1", "ring-11", "ring-21", "slot-6", "pit-16-day", "trilith-1", "trilith-4", "bluestone-1", "bluestone-10", "altar"],
};
const found = () => Object.keys(here.draft?.outlines ?? {}).length > 0;

export function boardView() {
  const { draft } = here;
  return [
    h("p", {}, w("board.how")),
    liveView(),
    pictureButtons(w("board.take"), "empty", (answer) => { Object.assign(here, { corners: null, mine: false, moving: null }); return answer; }),
    draft?.size_px ? picture(draft) : null,
    sayStep("board"),
    found() ? h("p", {}, w("board.fits")) : null,
    found() ? h("div", { class: "row" }, button(w("board.yes"), () => go("pieces"), { class: "main", "data-key": "fits" })) : null,
    found() ? nudging(draft) : null,
  ];
}

/** The empty board with outlines and the points that can be moved. */
function picture(draft) {
  const [width, height] = draft.size_px;
  here.corners ??= draft.corners_px?.length === 4 ? draft.corners_px.map((point) => [...point]) : [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * width, y * height]);
  const names = ["corner.tl", "corner.tr", "corner.br", "corner.bl"].map((key) => w(key));
  const size = [width, height], moved = () => { here.dragging = true; }, kept = () => { here.dragging = false; };
  const handles = here.corners.map((point, n) => corner(point, names[n], size, {
    moved: () => { here.dragging = here.mine = true; }, dropped: () => { kept(); if (here.edition === "kit") sendCorners(); else if (here.edition === "home" && here.shapes.length) sendShapes(); }, key: `corner-${n}` }));
  if (here.edition === "other") handles.push(...Object.entries(here.fields).map(([name, point]) => corner(point, name, size, { moved, dropped: kept, key: `field-${name}` })));
  if (here.edition === "home") handles.push(...here.shapes.flatMap((shape) => shape.points_px ? shape.points_px.map((point, n) => corner(point, `${shape.id} ${n + 1}`, size, { moved, dropped: dropShape, key: `shape-${shape.id}-${n}` })) : [corner(shape.at_px, shape.id, size, { moved, dropped: dropShape, key: `shape-${shape.id}` })]));
  if (here.moving) handles.push(corner(here.moving.at, here.moving.field, size, { moved, dropped: () => { kept(); sendMove(); }, key: "moving" }));
  const drawn = frame(`/setup/api/empty.jpg?v=${draft.pictures}`, size, { outlines: draft.outlines, corners: here.corners, handles, chosen: here.moving?.field, choose });
  return h("div", { class: "board-picture" }, drawn,
    h("p", { class: "quiet small" }, w("board.corners")),
    here.edition === "other" ? teaching(draft, size) : here.edition === "home" ? drawing(size) : h("div", { class: "row" }, button(w("board.send"), sendCorners, { "data-key": "corners" })));
}

const sendCorners = () => work(w("board.send"), () => send("POST", "/corners", { corners_px: here.corners }));

// --- one field that is off ---

/** A field's outline becomes movable by its middle. */
function choose(field) {
  const outline = here.draft.outlines[field];
  if (!outline || here.edition === "home") return;
  here.moving = { field, at: [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length) };
  draw();
  document.querySelector('[data-key="moving"]')?.focus();
}

const sendMove = () => work(w("nudge"), () => send("POST", "/move", { field: here.moving.field, at_px: here.moving.at }));

function nudging(draft) {
  if (here.edition === "home") return null;
  const names = Object.keys(draft.outlines);
  return h("div", { class: "row" }, h("label", {}, w("nudge.field"), h("select", { "data-key": "nudge", onchange: (event) => event.target.value && choose(event.target.value) },
    h("option", { value: "" }, "–"), names.map((name) => h("option", { value: name, selected: name === here.moving?.field }, name)))),
    here.moving ? button(w("nudge.done"), () => { here.moving = null; draw(); }, { "data-key": "nudge-done" }) : null);
}

// --- another edition ---

const numbers = (text) => text.split(/[x×,; ]+/).map(Number);

function sizeInput(draft) {
  return h("label", {}, w("teach.size"), h("input", { type: "text", value: here.size || draft.size_mm.join(" x "), "data-key": "size", onchange: (event) => { here.size = event.target.value; } }));
}

/** Its size, and a few of its fields pointed at. */
function teaching(draft, [width, height]) {
  const known = KNOWN[draft.layout] ?? KNOWN.anthology;
  const field = h("input", { type: "text", value: known.find((name) => !(name in here.fields)) ?? "", "data-key": "field", list: "known-fields" });
  return h("div", { class: "row" },
    sizeInput(draft),
    h("label", {}, w("teach.field"), field, h("datalist", { id: "known-fields" }, known.map((name) => h("option", { value: name })))),
    button(w("teach.add"), () => { if (field.value) here.fields[field.value] = [width / 2, height / 2]; draw(); document.querySelector(`[data-key="field-${CSS.escape(field.value)}"]`)?.focus(); }, { "data-key": "add-field" }),
    button(w("teach.fit"), () => work(w("teach.fit"), () => send("POST", "/teach", { layout: draft.layout, size_mm: numbers(here.size || draft.size_mm.join(" x ")), corners_px: here.corners, fields: here.fields })), { class: "main", "data-key": "teach" }));
}

// --- a home-made board ---

/** Circles and fields with corners, their names, and whose pieces lie on them. */
function drawing([width, height]) {
  const add = (shape) => { here.shapes.push(shape); sendShapes(); };
  const name = (word) => { let n = 1; while (here.shapes.some((shape) => shape.id === `${word}-${n}`)) n += 1; return `${word}-${n}`; };
  const reach = Math.min(width, height) / 12, middle = [width / 2, height / 2];
  return h("div", { class: "drawing" },
    h("p", { class: "quiet small" }, w("home.how")),
    h("div", { class: "row" }, sizeInput(here.draft),
      button(w("home.circle"), () => add({ id: name("field"), at_px: [...middle], radius_mm: 15 }), { "data-key": "add-circle" }),
      button(w("home.polygon"), () => add({ id: name("area"), points_px: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [middle[0] + x * reach, middle[1] + y * reach]) }), { "data-key": "add-polygon" })),
    h("ul", { class: "shapes" }, here.shapes.map((shape, n) => h("li", { class: "row" },
      h("label", {}, w("home.name"), h("input", { type: "text", value: shape.id, "data-key": `name-${n}`, maxlength: 40, onchange: (event) => { shape.id = event.target.value.trim() || shape.id; sendShapes(); } })),
      shape.points_px
        ? [button(w("home.more"), () => { const [a, b] = [shape.points_px.at(-1), shape.points_px[0]]; shape.points_px.push([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]); sendShapes(); }, { "data-key": `more-${n}` }),
          shape.points_px.length > 3 ? button(w("home.fewer"), () => { shape.points_px.pop(); sendShapes(); }, { "data-key": `fewer-${n}` }) : null]
        : h("label", {}, w("home.radius"), h("input", { type: "number", min: 1, max: 500, step: 0.5, value: shape.radius_mm, "data-key": `radius-${n}`, onchange: (event) => { shape.radius_mm = Number(event.target.value); sendShapes(); } })),
      button(w("delete"), () => { here.shapes.splice(n, 1); if (here.shapes.length) sendShapes(); else draw(); }, { "data-key": `drop-${n}`, "aria-label": `${w("delete")}: ${shape.id}` })))),
    h("div", { class: "row" }, h("label", {}, w("home.pieces"), h("select", { "data-key": "pieces-of", onchange: (event) => { here.piecesOf = event.target.value; here.kinds = null; if (here.shapes.length) sendShapes(); } },
      Object.entries(here.choices.boards).map(([id, name]) => h("option", { value: id, selected: id === here.piecesOf }, said(name))))),
      h("fieldset", { class: "kinds" }, h("legend", {}, w("home.kinds")), Object.keys(here.draft.pieces).length || here.kinds ? kinds() : null)),
    h("a", { href: "/setup/api/board.json", download: "" }, w("home.file")));
}

function kinds() {
  here.offered = [...new Set([...(here.offered ?? []), ...Object.keys(here.draft.pieces)])];
  const chosen = here.kinds ?? Object.keys(here.draft.pieces);
  return here.offered.map((kind) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: chosen.includes(kind), "data-key": `kind-${kind}`, onchange: (event) => { here.kinds = event.target.checked ? [...chosen, kind] : chosen.filter((each) => each !== kind); sendShapes(); } }), w(kind)));
}

const dropShape = () => { here.dragging = false; sendShapes(); };

const sendShapes = () => work(w("home.draw"), () => send("POST", "/draw", { size_mm: numbers(here.size || here.draft.size_mm.join(" x ")), corners_px: here.corners, shapes: here.shapes, pieces_of: here.piecesOf ?? Object.keys(here.choices.boards)[0], pieces: here.kinds ?? [] }));
