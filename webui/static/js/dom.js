// Small helpers for making HTML and SVG elements; no framework, no templates in strings.

import { whenFree } from "./press.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "vars") for (const [name, v] of Object.entries(value)) element.style.setProperty(name, v);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: h("button", {class: "quiet", onclick: f}, "words", child). */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element, the same way. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/**
 * Puts `children` into `box` in place of what was there, once nothing there is held down. Whoever had the keyboard
 * keeps it: the element with the same data-key is focused again, or the box itself if it can be, and who was typing
 * goes on where he was. Open <details> with a data-key stay open, and the box keeps its scroll.
 */
export function show(box, ...children) {
  whenFree(box, () => replace(box, children));
}

function replace(box, children) {
  const active = document.activeElement;
  const had = box.contains(active), key = had ? active.dataset?.key : null;
  const { selectionStart: from, selectionEnd: to } = active ?? {};
  const open = new Map([...box.querySelectorAll("details[data-key]")].map((d) => [d.dataset.key, d.open]));
  const top = box.scrollTop;
  box.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const d of box.querySelectorAll("details[data-key]")) if (open.has(d.dataset.key)) d.open = open.get(d.dataset.key);
  box.scrollTop = top;
  const heir = key && box.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (had) (heir || box).focus({ preventScroll: true });
  if (heir && Number.isInteger(from)) heir.setSelectionRange?.(from, to);
}

/** A line icon, 24 x 24, drawn with the text's colour. */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

const ICONS = {
  undo: "M9 7 4 12l5 5M4.5 12H15a5 5 0 0 1 0 10h-2",
  redo: "M15 7l5 5-5 5M19.5 12H9a5 5 0 0 0 0 10h2",
  play: "M8 5v14l11-7z",
  pause: "M8 5v14M16 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M17 5l-7 7 7 7M7 5v14",
  last: "M7 5l7 7-7 7M17 5v14",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  letters: "M3 18 8 6l5 12M5 14h6M14 18l3.5-8 3.5 8M15.5 15h4",
  moon: "M19 14.5A7.5 7.5 0 1 1 9.5 5 6 6 0 0 0 19 14.5z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01",
  close: "M6 6l12 12M18 6 6 18",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  text: "M5 6h14M5 11h14M5 16h9",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  voice: "M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  chart: "M4 19h16M5 15l4-5 4 3 6-8",
  up: "M5 15l7-7 7 7",
};
