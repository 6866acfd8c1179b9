// The printed board under everything, as the server draws it from the board file.

import { s } from "../dom.js";

/** The board as an SVG group: its edge, its print, the first light that falls on it. */
export function drawArtwork(board, id) {
  const [w, h] = board.size_mm;
  return s("g", { class: "artwork" },
    s("rect", { class: "plate-shadow", x: 1, y: 4, width: w - 2, height: h, rx: 6 }),
    s("rect", { class: "plate", width: w, height: h, rx: 5 }),
    s("g", { "clip-path": `url(#plate-${id})` },
      s("image", { class: "print", width: w, height: h, preserveAspectRatio: "none" }),
      s("rect", { class: "first-light", width: w, height: h, fill: `url(#dawn-${id})` }),
      s("image", { class: "photograph", width: w, height: h, preserveAspectRatio: "none" })),
    s("rect", { class: "plate-edge", x: 0.3, y: 0.3, width: w - 0.6, height: h - 0.6, rx: 4.7 }));
}

export const artworkAddress = (board, dark) => `/api/boards/${board.id}/artwork.svg?style=${dark ? "night" : "chalk"}`;

/** The paints of one drawing; `id` makes their names its own among several boards on a page. */
export function definitions(board, id) {
  const [w, h] = board.size_mm;
  return s("defs", {},
    s("clipPath", { id: `plate-${id}` }, s("rect", { width: w, height: h, rx: 5 })),
    s("radialGradient", { id: `dawn-${id}`, cx: 0.5, cy: -0.05, r: 1.15 }, s("stop", { offset: "0", class: "dawn-near" }), s("stop", { offset: "0.55", class: "dawn-far" }), s("stop", { offset: "1", class: "dusk" })));
}
