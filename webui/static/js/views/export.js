// The board as a picture file: the drawing as it is on the page, at 4 pixels to the millimetre or so.

import { store } from "../store.js";

const WIDTH_PX = 1600;

export async function savePicture() {
  const drawn = document.querySelector("svg.board");
  const copy = drawn.cloneNode(true);
  inline(drawn, copy);
  copy.querySelector(".layer-touch")?.remove();
  copy.querySelector(".layer-hints")?.replaceChildren();
  const print = copy.querySelector(".print");
  print.setAttribute("href", await asData(print.getAttribute("href")));
  copy.querySelector(".photograph")?.remove();
  const [, , w, h] = copy.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", WIDTH_PX);
  copy.setAttribute("height", (WIDTH_PX * h) / w);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH_PX, height: Math.round((WIDTH_PX * h) / w) });
  const paper = Object.assign(canvas.getContext("2d"), { fillStyle: getComputedStyle(document.documentElement).backgroundColor });
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(image, 0, 0);
  const link = document.createElement("a");
  link.download = `${store.table.id}.png`;
  link.href = canvas.toDataURL("image/png");
  link.click();
}

const PAINTS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "font-family", "font-weight", "font-size", "text-anchor", "stop-color", "stop-opacity"];

/** The style sheet's paints as attributes: a picture brings no style sheet along. */
function inline(from, to) {
  const copies = to.querySelectorAll("*");
  from.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of PAINTS) copies[i].setAttribute(name, style.getPropertyValue(name));
  });
}

async function asData(address) {
  const text = await (await fetch(address)).text();
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
