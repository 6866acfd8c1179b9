// The printed board under everything, as the server draws it from the board file, and the ley lines on it.

import { s } from "../dom.js";
import { distance, number as n } from "./geometry.js";

/** The board as an SVG group: its edge, its print, the first light that falls on it. */
export function drawArtwork(board) {
  const [w, h] = board.size_mm;
  return s("g", { class: "artwork" },
    s("rect", { class: "plate-shadow", x: 1, y: 4, width: w - 2, height: h, rx: 6 }),
    s("g", { "clip-path": "url(#plate-clip)" },
      s("image", { class: "print", width: w, height: h, preserveAspectRatio: "none" }),
      s("rect", { class: "first-light", width: w, height: h }),
      s("image", { class: "photograph", width: w, height: h, preserveAspectRatio: "none" })),
    s("rect", { class: "plate-edge", x: 0.3, y: 0.3, width: w - 0.6, height: h - 0.6, rx: 4.7 }));
}

export const artworkAddress = (board, dark) => `/api/boards/${board.id}/artwork.svg?style=${dark ? "night" : "chalk"}`;

/** The paints that are shared by everything on the board: shadows and the first light. */
export function definitions(board) {
  const [w, h] = board.size_mm;
  return s("defs", {},
    s("clipPath", { id: "plate-clip" }, s("rect", { width: w, height: h, rx: 5 })),
    s("radialGradient", { id: "shadow" }, s("stop", { offset: "0.45", "stop-color": "#10141b", "stop-opacity": 0.42 }), s("stop", { offset: "1", "stop-color": "#10141b", "stop-opacity": 0 })),
    s("radialGradient", { id: "dawn", cx: 0.5, cy: -0.05, r: 1.15 }, s("stop", { offset: "0", class: "dawn-near" }), s("stop", { offset: "0.55", class: "dawn-far" }), s("stop", { offset: "1", class: "dusk" })));
}

/** The points a ley line runs through: its marker field, then its spaces from there. */
export function leyPoints(board, line) {
  const end = board.fields.get(line.id ?? line.line).centre;
  const spaces = line.spaces.map((id) => board.fields.get(id).centre);
  if (distance(end, spaces[0]) > distance(end, spaces.at(-1))) spaces.reverse();
  return [end, ...spaces];
}

export function leyPath(board, line) {
  return leyPoints(board, line).map(([x, y], i) => `${i ? "L" : "M"}${n(x)} ${n(y)}`).join("");
}
