// The camera picture with the reading drawn over it, small beside the board or large in its place.

import { homography, outline, placeOf, pointsText, project, fieldsOf, placeName } from "../board/geometry.js";
import { paints, letterOf } from "../board/colours.js";
import { h, s } from "../dom.js";
import { set, store } from "../store.js";
import { drive, hasPicture, pictureAddress, swap } from "../table.js";
import { said, sentence, word } from "../words.js";
import { iconButton } from "./parts.js";

/** The tile beside the banner: whichever of board and picture is not the large one. */
export function tile(board) {
  if (!hasPicture()) return null;
  return h("section", { class: "tile", "aria-label": word("picture") },
    h("button", { type: "button", class: "picture-button", "data-key": "swap", title: word("photo.swap"), "aria-label": word("photo.swap"), onclick: swap },
      store.main === "board" ? photo("small-photo") : board),
    h("div", { class: "under" }, store.main === "board" ? h("input", { type: "range", min: 0, max: 1, step: 0.02, value: store.fade, class: "fade", "data-key": "fade", "aria-label": word("photo.fade"), title: word("photo.fade"), oninput: (event) => set({ fade: Number(event.target.value) }) }) : null, health()));
}

const GRADES = { good: "●", fair: "◐", poor: "⊘" };

/** How well the camera sees the table: one line, which opens to advice and what was measured. */
function health() {
  const { health: found } = store;
  if (!found) return null;
  return h("details", { class: `health ${found.grade}`, "data-key": "health" },
    h("summary", { "data-key": "health-summary" }, h("span", { class: "sign", "aria-hidden": "true" }, GRADES[found.grade]), h("span", { class: "words" }, word(`health.${found.grade}`))),
    h("div", { class: "items" }, h("p", {}, sentence(found.advice)),
      h("ul", {}, found.measures.map((each) => h("li", { class: each.grade }, h("span", { class: "sign", "aria-hidden": "true" }, GRADES[each.grade]), h("span", { class: "what" }, sentence(each.label)), h("span", { class: "number quiet" }, `${Math.round(each.value * 100) / 100} ${each.unit}`))))));
}

const kept = {}; // by id: the last one drawn, so that its picture is asked for once

/** The picture itself, with every piece that was read marked where its field lies. */
export function photo(id) {
  const { table, observation, language } = store;
  const of = [table.id, table.view.number, table.status, observation, language];
  if (!kept[id]?.of.every((each, i) => each === of[i])) kept[id] = { of, element: drawPhoto(id) };
  return kept[id].element;
}

function drawPhoto(id) {
  const address = pictureAddress(`/picture?n=${store.table.view.number}`);
  const box = h("div", { class: "photo", id }, h("img", { src: address, alt: word("photo.of") }));
  const image = box.querySelector("img");
  const lay = () => box.querySelector("svg") ?? box.append(overlay(image.naturalWidth, image.naturalHeight));
  if (image.complete && image.naturalWidth) lay();
  else image.addEventListener("load", lay, { once: true });
  return box;
}

function overlay(width, height) {
  const { observation, board, table } = store;
  const [w, h_] = board.size_mm;
  const m = observation.corners_px?.length === 4 ? homography([[0, 0], [w, 0], [w, h_], [0, h_]], observation.corners_px) : null;
  const wrong = new Set(table.status.name === "out_of_step" ? table.status.places.flatMap(fieldsOf) : []);
  const drawn = m ? [
    s("polygon", { class: "photo-board", points: pointsText(observation.corners_px) }),
    observation.pieces.map((piece) => mark(board, piece, m, wrong)),
    [...wrong].map((id) => board.fields.get(id)).filter(Boolean).map((field) => s("polygon", { class: "photo-wrong", points: pointsText(outline(field).map((p) => project(m, p))) })),
  ].flat() : [];
  return s("svg", { viewBox: `-0.5 -0.5 ${width} ${height}`, "aria-hidden": "true" }, drawn);
}

function mark(board, piece, m, wrong) {
  const place = placeOf(board, piece);
  if (!place) return null;
  const [x, y] = project(m, place.at), [ex] = project(m, [place.at[0] + 9, place.at[1]]);
  const size = Math.max(5, Math.abs(ex - x)), paint = paints(board, piece.colour ?? "grey");
  const unsure = piece.confidence !== undefined && piece.confidence < 0.8;
  return s("g", { class: unsure ? "mark unsure" : "mark", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-place": placeName(piece) },
    s("circle", { r: size * 0.62, fill: paint.face, stroke: wrong.has(piece.field) ? "#b4452f" : "#fff", "stroke-width": size * 0.12 }),
    s("text", { y: size * 0.27, "font-size": size * 0.75, fill: paint.mark }, piece.value ? String(piece.value) : letterOf(piece.colour, store.language)));
}

/** Play, pause and step of a recorded table. */
export function player() {
  const { player: p } = store;
  if (!p) return null;
  const ended = p.step >= p.count;
  return h("section", { class: "recording", "aria-label": word("player.title") },
    iconButton(p.playing ? "pause" : "play", word(p.playing ? "player.pause" : "player.play"), () => drive({ playing: !p.playing }), { disabled: ended, "data-key": "recording" }),
    iconButton("forward", word("player.step"), () => drive({ step: true }), { disabled: ended, "data-key": "recording-step" }),
    h("span", { class: "small quiet number" }, word(p.source === "photographs" ? "player.photos" : "player.log", p.step, p.count)),
    h("label", { class: "small quiet pace" }, h("span", { class: "unseen" }, word("player.pace")),
      h("select", { "data-key": "pace", onchange: (event) => drive({ seconds: Number(event.target.value) }) }, [0.3, 1, 2, 4].map((seconds) => h("option", { value: seconds, selected: Math.abs(p.seconds - seconds) < 0.01 }, `${said(String(seconds))} s`)))));
}
