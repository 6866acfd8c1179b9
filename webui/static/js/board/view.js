// The board on the page: artwork, what lies on it, hints, and the fields that can be pointed at, tapped,
// dragged from and walked over with the keyboard. It knows nothing of games or servers.

import { s } from "../dom.js";
import { arrange } from "./arrange.js";
import { artworkAddress, definitions, drawArtwork } from "./artwork.js";
import { distance, fieldsOf, number as n, outline, placeName, placeOf, pointsText } from "./geometry.js";
import { drawPiece, riseOf } from "./pieces.js";

const DRAG_PX = 9;
let drawings = 0;

export class BoardView {
  /**
   * board: a prepared board. handlers: {tap(field, byKey), point(field or null), drag(from, to),
   * describe(field)}; describe gives a field's spoken name with what lies there.
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    this.pieces = [];
    const [w, h] = board.size_mm;
    this.layers = Object.fromEntries(["under", "hints", "pieces", "lines", "over", "touch"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    const id = ++drawings;
    this.element = s("svg", { class: "board", viewBox: `-6 -6 ${w + 12} ${h + 14}`, role: "group" },
      definitions(board, id), drawArtwork(board, id), ...Object.values(this.layers));
    this.#targets();
  }

  /** Day or night print, and how much of the straightened photograph shows through (0 to 1). */
  setPrint(dark, photo, fade) {
    const hrefs = { ".print": artworkAddress(this.board, dark), ".photograph": photo };
    for (const [name, href] of Object.entries(hrefs)) {
      const image = this.element.querySelector(name);
      if (href && image.getAttribute("href") !== href) image.setAttribute("href", href);
      if (!href) image.removeAttribute("href");
    }
    this.element.querySelector(".photograph").style.opacity = photo ? fade : 0;
    this.layers.pieces.style.opacity = photo ? 1 - fade * 0.85 : 1;
  }

  // --- what lies there ---------------------------------------------------------------------------------

  /** Draws the pieces; those that were not there before arrive with a small movement. */
  setPieces(pieces, language, { lively = true } = {}) {
    const known = new Map(this.pieces.map((piece) => [JSON.stringify({ ...piece, confidence: 0 }) + language, 1]));
    const first = this.pieces.length === 0;
    this.pieces = pieces;
    this.layers.pieces.replaceChildren(...arrange(this.board, pieces).map((laid) => {
      const drawn = this.#piece(laid, language);
      if (lively && !first && !known.has(JSON.stringify({ ...laid.piece, confidence: 0 }) + language)) drawn.classList.add("arrives");
      return drawn;
    }));
    for (const target of this.targets.values()) target.setAttribute("aria-label", this.handlers.describe(target.dataset.field));
  }

  #piece({ piece, at, angle, heightUnder }, language) {
    const lift = heightUnder * 0.34;
    const g = s("g", { transform: `translate(${n(at[0])} ${n(at[1] - lift)})`, "data-place": placeName(piece), class: "piece" }, s("g", {}, drawPiece(this.board, piece, angle, language)));
    if (piece.count !== undefined && piece.count !== 1) g.append(this.#count(piece));
    return g;
  }

  #count(piece) {
    const y = -riseOf(this.board, piece.kind) - 4;
    return s("g", { class: "count", transform: `translate(8 ${n(y)})` }, s("rect", { x: -8, y: -5.5, width: 16, height: 11, rx: 5.5 }), s("text", { y: 2.8, "font-size": 8 }, `×${piece.count ?? "?"}`));
  }

  // --- hints -------------------------------------------------------------------------------------------

  /** Gold around the fields where something may be done; fainter before anything was `chosen`. */
  setLegal(fields, chosen = true) {
    this.layers.hints.classList.toggle("faint", !chosen);
    this.layers.hints.replaceChildren(...[...new Set(fields)].map((id) => this.#ring(id, "legal")).filter(Boolean));
  }

  /** What a move would change: ghosts of what comes, rings on what goes; null for nothing. Without `ringed`
   * the fields are not ringed. */
  setPreview(change, language, ringed = true) {
    this.#mark("going", change?.gone ?? []);
    const over = [];
    const ring = (piece, name) => ringed && over.push(...fieldsOf(placeName(piece)).map((id) => this.#ring(id, name)));
    for (const piece of change?.gone ?? []) ring(piece, "goes");
    for (const laid of arrange(this.board, change?.come ?? [])) {
      ring(laid.piece, "comes");
      const ghost = this.#piece(laid, language);
      ghost.classList.add("ghost");
      over.push(ghost);
    }
    this.preview = over.filter(Boolean);
    this.#over();
  }

  /** Rings around fields, by class: {"wrong": [...], "last": [...], "chosen": [...]}. */
  setRings(rings) {
    this.rings = Object.entries(rings).flatMap(([name, ids]) => ids.map((id) => this.#ring(id, name)).filter(Boolean));
    this.#over();
  }

  #over() {
    this.layers.over.replaceChildren(...(this.preview ?? []), ...(this.rings ?? []));
  }

  /** SVG elements that a game draws on the print, below the pieces, and above them. */
  setDrawing(under, above) {
    this.layers.under.replaceChildren(...under);
    this.layers.lines.replaceChildren(...above);
  }

  #mark(name, pieces) {
    this.layers.pieces.querySelectorAll(`.${name}`).forEach((element) => element.classList.remove(name));
    for (const piece of pieces) {
      const found = this.layers.pieces.querySelector(`[data-place="${CSS.escape(placeName(piece))}"]`);
      found?.classList.add(name);
    }
  }

  #ring(id, name) {
    const field = this.board.fields.get(id);
    if (!field) return null;
    if (field.polygon) return s("polygon", { class: `ring ${name}`, points: pointsText(field.polygon) });
    return s("circle", { class: `ring ${name}`, cx: n(field.centre[0]), cy: n(field.centre[1]), r: n(field.radius_mm + 1) });
  }

  // --- pointing, tapping, dragging, walking ---------------------------------------------------------------

  #targets() {
    const size = (field) => field.polygon ? 1e4 : field.radius_mm;
    this.targets = new Map();
    for (const field of [...this.board.fields.values()].sort((a, b) => size(b) - size(a))) {
      const target = field.polygon
        ? s("polygon", { points: pointsText(field.polygon) })
        : s("circle", { cx: field.centre[0], cy: field.centre[1], r: n(Math.max(field.radius_mm, 8)) });
      target.classList.add("target");
      target.dataset.field = field.id;
      target.setAttribute("role", "button");
      target.setAttribute("tabindex", this.targets.size === 0 ? "0" : "-1");
      // On each of them, not on their layer: that would make the layer itself a stop of the Tab key.
      target.addEventListener("focus", () => this.#walkTo(target));
      this.targets.set(field.id, target);
      this.layers.touch.append(target);
    }
    const touch = this.layers.touch;
    touch.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.handlers.point(event.target.dataset.field ?? null));
    touch.addEventListener("pointerleave", () => this.handlers.point(null));
    touch.addEventListener("pointerdown", (event) => this.#press(event));
    touch.addEventListener("keydown", (event) => this.#key(event));
  }

  #press(event) {
    const from = event.target.dataset.field, start = [event.clientX, event.clientY];
    if (!from || event.button > 0 || !event.isPrimary) return;
    const gesture = new AbortController(), { signal } = gesture;
    let carried = null, over = null;
    const under = (e) => document.elementFromPoint(e.clientX, e.clientY)?.dataset?.field ?? null;
    const move = (e) => {
      if (!carried && distance(start, [e.clientX, e.clientY]) > DRAG_PX) carried = this.#carry(from);
      if (!carried) return;
      carried.setAttribute("transform", `translate(${this.#millimetres(e).map(n).join(" ")})`);
      if (under(e) !== over) this.#ringTarget((over = under(e)));
    };
    const end = (e) => {
      gesture.abort();
      carried?.remove();
      this.#ringTarget(null);
      const to = under(e);
      if (e.type === "pointercancel") return;
      if (carried && to && to !== from) this.handlers.drag(from, to);
      else if (to === from) this.handlers.tap(from);
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", end, { signal });
  }

  /** Where a piece that is carried would be put down. */
  #ringTarget(id) {
    this.dropRing?.remove();
    this.dropRing = id && this.#ring(id, "chosen");
    if (this.dropRing) this.layers.over.append(this.dropRing);
  }

  #carry(from) {
    const piece = this.pieces.findLast((each) => fieldsOf(placeName(each)).includes(from));
    if (!piece) return null;
    const carried = s("g", { class: "ghost carried" }, drawPiece(this.board, piece, placeOf(this.board, piece)?.angle ?? 0, "en"));
    this.layers.over.append(carried);
    return carried;
  }

  #millimetres(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  #walkTo(target) {
    this.layers.touch.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
    if (target.matches(":focus-visible")) this.handlers.point(target.dataset.field);
  }

  #key(event) {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const here = this.board.fields.get(event.target.dataset.field);
    if (event.key === "Enter" || event.key === " ") this.handlers.tap(here.id, true);
    else if (step) this.#neighbour(here, step)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Gives the keyboard to a field, or to the one that had it last. */
  focus(id = null) {
    (this.targets.get(id) ?? this.layers.touch.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
  }

  /** The nearest field in that direction: sideways distance counts double. */
  #neighbour(here, [dx, dy]) {
    let best = null, least = Infinity;
    for (const field of this.board.fields.values()) {
      const [x, y] = [field.centre[0] - here.centre[0], field.centre[1] - here.centre[1]];
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
      if (ahead <= 1 || aside > ahead * 1.8) continue;
      if (ahead + 2 * aside < least) [least, best] = [ahead + 2 * aside, field];
    }
    return best && this.targets.get(best.id);
  }
}
