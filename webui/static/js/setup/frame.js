// A picture with outlines drawn over it and points that can be moved by mouse, touch and keyboard, each under a
// magnifier while it moves.

import { h, s } from "../dom.js";

const ZOOM = 3, GLASS = 132;

/** A movable point: `point` is [x, y] in picture pixels and is changed in place. */
export function corner(point, name, size, { moved, dropped, key }) {
  return { point, name, size, moved, dropped, key };
}

/** marks: numbers at places; choose(field): an outline was clicked. */
export function frame(address, [width, height], { outlines, corners, handles, marks = [], chosen = null, choose = null }) {
  const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");
  const edge = s("polygon", { class: "edge", points: points(corners) });
  const drawing = s("svg", { viewBox: `-0.5 -0.5 ${width} ${height}`, "aria-hidden": "true" }, Object.entries(outlines ?? {}).map(([id, outline]) => s("polygon", { points: points(outline), "data-field": id, class: [choose ? "choosable" : "", id === chosen ? "chosen" : ""].join(" ").trim() || null, onclick: choose ? () => choose(id) : null })), edge);
  const box = h("div", { class: "frame" }, h("img", { src: address, alt: "", draggable: "false", width, height }), drawing);
  const glass = h("div", { class: "lens-glass", hidden: true });
  glass.hidden = true;
  box.append(glass, ...marks.map(({ at: [x, y], text }) => h("span", { class: "mark", vars: { "--x": `${((x + 0.5) / width) * 100}%`, "--y": `${((y + 0.5) / height) * 100}%` } }, text)));
  for (const handle of handles) box.append(dot(handle, box, glass, address, () => edge.setAttribute("points", points(corners))));
  return box;
}

function dot(handle, box, glass, address, redraw) {
  const { point, size: [width, height], name } = handle;
  const button = h("button", { type: "button", class: "handle", "data-key": handle.key, "aria-label": "" }, h("span", {}, name));
  const place = () => {
    button.style.setProperty("--x", `${((point[0] + 0.5) / width) * 100}%`);
    button.style.setProperty("--y", `${((point[1] + 0.5) / height) * 100}%`);
    button.classList.toggle("left", point[0] > 0.7 * width); // its name stays inside the picture
    button.setAttribute("aria-label", `${name}: ${Math.round(point[0])}, ${Math.round(point[1])}`);
    redraw();
  };
  const magnify = () => {
    const scale = box.clientWidth / width, x = (point[0] + 0.5) * scale, y = (point[1] + 0.5) * scale;
    glass.hidden = false;
    const styles = { left: `${x - GLASS / 2}px`, top: `${y > GLASS + 40 ? y - GLASS - 30 : y + 40}px`, "background-image": `url("${address}")`, "background-size": `${width * scale * ZOOM}px ${height * scale * ZOOM}px`, "background-position": `${GLASS / 2 - 3 - x * ZOOM}px ${GLASS / 2 - 3 - y * ZOOM}px` };
    for (const [key, value] of Object.entries(styles)) glass.style.setProperty(key, value);
  };
  const to = (x, y) => {
    point[0] = Math.min(width - 0.5, Math.max(-0.5, x));
    point[1] = Math.min(height - 0.5, Math.max(-0.5, y));
    handle.moved();
    place();
    magnify();
  };
  let grip = null;
  button.addEventListener("pointerdown", (event) => {
    const rect = box.getBoundingClientRect(), scale = rect.width / width;
    // The point keeps its distance from the finger: a touch beside it does not make it jump.
    grip = [event.clientX - rect.left - (point[0] + 0.5) * scale, event.clientY - rect.top - (point[1] + 0.5) * scale];
    button.setPointerCapture(event.pointerId);
    handle.moved();
    magnify();
  });
  button.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const rect = box.getBoundingClientRect(), scale = rect.width / width;
    to((event.clientX - rect.left - grip[0]) / scale - 0.5, (event.clientY - rect.top - grip[1]) / scale - 0.5);
  });
  const drop = () => { if (!grip) return; grip = null; glass.hidden = true; handle.dropped(); };
  button.addEventListener("pointerup", drop);
  button.addEventListener("pointercancel", drop);
  const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  button.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); glass.hidden = true; handle.dropped(); return; }
    const step = STEP[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 20 : 1;
    to(point[0] + step[0] * far, point[1] + step[1] * far);
  });
  button.addEventListener("blur", () => { glass.hidden = true; });
  place();
  return button;
}
