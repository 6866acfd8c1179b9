// Pieces as a person sees them who leans a little over the board: each stands on its true footprint, in
// millimetres, and rises towards the top of the page. Shape tells the kind; colour, letter and pattern the owner.

import { s } from "../dom.js";
import { paints, letterOf, PATTERNS } from "./colours.js";
import { number as n, pointsText, radians } from "./geometry.js";

const LIFT = 0.34; // how far a millimetre of height rises on the page

/** The drawing of one piece around (0, 0), `angle` in degrees clockwise from +x. */
export function drawPiece(board, piece, angle, language) {
  const type = board.pieces[piece.kind];
  const shape = DRAW[piece.kind] ? piece.kind : SHAPES[type?.shape] ?? "disc";
  return DRAW[shape]({ board, piece, angle, language, type: type ?? {}, paint: paints(board, piece.colour ?? "grey") });
}

/** How far above its middle the top of a piece appears, in mm. */
export function riseOf(board, kind) {
  return LIFT * (board.pieces[kind]?.height_mm ?? 1);
}

const SHAPES = { cylinder: "disc", box: "block", figure: "figure", trilith: "trilith", card: "card" };

function shadow(rx, ry, height, angle = 0) {
  const reach = height * 0.22;
  const ellipse = (more) => s("ellipse", { cx: n(reach), cy: n(reach * 0.7 + 0.6), rx: n(rx + more + reach * 0.5), ry: n(ry + more + reach * 0.3) });
  // Two flat ellipses: a gradient looks no better at this size and takes ten times as long to paint.
  return s("g", { class: "shadow", transform: angle ? `rotate(${n(angle)})` : null }, ellipse(1.2), ellipse(0.1));
}

function text(content, size, y, fill, more = {}) {
  return s("text", { "font-size": size, y: n(y), fill, class: "piece-text", ...more }, content);
}

/** A standing cylinder: side wall, lit top. */
function cylinder(radius, height, paint) {
  const up = n(-height * LIFT);
  return [
    s("path", { d: `M${-radius} 0A${radius} ${radius} 0 0 0 ${radius} 0L${radius} ${up}L${-radius} ${up}Z`, fill: paint.side, stroke: paint.edge, "stroke-width": 0.35 }),
    s("circle", { r: radius, cy: up, fill: paint.top, stroke: paint.edge, "stroke-width": 0.35 }),
    s("path", { d: `M${n(-radius * 0.86)} ${n(up - radius * 0.32)}A${n(radius * 0.92)} ${n(radius * 0.92)} 0 0 1 ${n(radius * 0.5)} ${n(up - radius * 0.77)}`, fill: "none", stroke: paint.gleam, "stroke-width": 0.6, "stroke-linecap": "round", opacity: 0.8 }),
  ];
}

function disc({ piece, type, paint, language }) {
  const radius = (type.diameter_mm ?? 15) / 2, height = type.height_mm ?? 5;
  const y = -height * LIFT;
  return s("g", {},
    shadow(radius, radius, height), cylinder(radius, height, paint),
    s("circle", { r: n(radius * 0.72), cy: n(y), fill: "none", stroke: paint.mark, "stroke-width": 0.55, "stroke-dasharray": PATTERNS[piece.colour], "stroke-linecap": "round", opacity: 0.75 }),
    text(letterOf(piece.colour, language), n(radius * 0.95), y + radius * 0.34, paint.mark));
}

function druid({ piece, type, paint }) {
  const radius = (type.diameter_mm ?? 22) / 2, height = type.height_mm ?? 6;
  const y = -height * LIFT;
  const mark = piece.value
    ? [text(String(piece.value), n(radius * 1.25), y + radius * 0.45, paint.mark),
       piece.value === 6 ? s("path", { d: `M-3 ${n(y + radius * 0.62)}H3`, stroke: paint.mark, "stroke-width": 0.8 }) : null]
    : s("path", { d: `M0 ${n(y - 5)}L4.3 ${n(y + 2.5)}H-4.3Z`, fill: "none", stroke: paint.mark, "stroke-width": 0.9, opacity: 0.8 });
  return s("g", {},
    shadow(radius, radius, height), cylinder(radius, height, paint),
    s("circle", { r: n(radius * 0.82), cy: n(y), fill: "none", stroke: paint.mark, "stroke-width": 0.6, "stroke-dasharray": PATTERNS[piece.colour], opacity: 0.7 }), mark);
}

/** A box on a footprint turned by `angle`, rising from `from` to `to` millimetres: its visible walls and its top. */
function box(length, width, from, to, angle, paint) {
  const turn = radians(angle), cos = Math.cos(turn), sin = Math.sin(turn);
  const corner = ([x, y]) => [x * cos - y * sin, x * sin + y * cos];
  const foot = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => corner([(x * length) / 2, (y * width) / 2]));
  const raised = (height) => foot.map(([x, y]) => [x, y - height * LIFT]);
  const [low, high] = [raised(from), raised(to)];
  const walls = [];
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    if (foot[j][0] - foot[i][0] >= -1e-6) continue; // this wall looks away from us
    const slope = Math.abs(foot[j][1] - foot[i][1]) / Math.hypot(foot[j][0] - foot[i][0], foot[j][1] - foot[i][1]);
    walls.push(s("polygon", { points: pointsText([low[i], low[j], high[j], high[i]]), fill: slope > 0.5 ? paint.edge : paint.side, stroke: paint.edge, "stroke-width": 0.3, "stroke-linejoin": "round" }));
  }
  return [...walls, s("polygon", { points: pointsText(high), fill: paint.top, stroke: paint.edge, "stroke-width": 0.35, "stroke-linejoin": "round" })];
}

function block({ piece, type, angle, paint, language }) {
  const [length, width, height] = [type.length_mm ?? 25, type.width_mm ?? 6, type.height_mm ?? 6];
  const y = -height * LIFT;
  const upright = ((angle + 90) % 180 + 180) % 180 - 90; // never a letter upside down
  return s("g", {},
    s("rect", { x: -length / 2 - 0.6, y: -width / 2, width: length + 2.4, height: width + 2.2, rx: 1.5, transform: `rotate(${n(angle)}) translate(0.8 1)`, class: "shadow" }),
    box(length, width, 0, height, angle, paint),
    text(letterOf(piece.colour, language), n(width * 0.82), width * 0.3, paint.mark, { y: null, transform: `translate(0 ${n(y)}) rotate(${n(upright)}) translate(0 ${n(width * 0.29)})` }),
    s("path", { d: `M${n(-length / 2 + 2)} 0H${n(-width * 0.6)}M${n(width * 0.6)} 0H${n(length / 2 - 2)}`, transform: `translate(0 ${n(y)}) rotate(${n(angle)})`, stroke: paint.mark, "stroke-width": 0.55, "stroke-dasharray": PATTERNS[piece.colour], "stroke-linecap": "round", opacity: 0.7 }));
}

function figure({ piece, type, paint, language }) {
  const r = (type.base_mm ?? 16) / 2, up = (type.height_mm ?? 32) * LIFT * 1.35;
  const robe = `M${-r * 0.92} 0C${n(-r * 0.8)} ${n(-up * 0.35)} ${n(-r * 0.52)} ${n(-up * 0.55)} ${n(-r * 0.5)} ${n(-up * 0.74)}
    C${n(-r * 0.55)} ${n(-up * 1.02)} ${n(-r * 0.2)} ${n(-up * 1.2)} 0 ${n(-up * 1.26)}
    C${n(r * 0.2)} ${n(-up * 1.2)} ${n(r * 0.55)} ${n(-up * 1.02)} ${n(r * 0.5)} ${n(-up * 0.74)}
    C${n(r * 0.52)} ${n(-up * 0.55)} ${n(r * 0.8)} ${n(-up * 0.35)} ${n(r * 0.92)} 0
    A${n(r * 0.92)} ${n(r * 0.6)} 0 0 1 ${n(-r * 0.92)} 0Z`;
  const body = [
    s("ellipse", { rx: r, ry: n(r * 0.72), cy: 1, fill: paint.side, stroke: paint.edge, "stroke-width": 0.4 }),
    s("path", { d: robe, fill: paint.top, stroke: paint.edge, "stroke-width": 0.5 }),
    s("path", { d: `M${n(r * 0.1)} ${n(-up * 1.22)}C${n(r * 0.5)} ${n(-up)} ${n(r * 0.5)} ${n(-up * 0.8)} ${n(r * 0.46)} ${n(-up * 0.7)}C${n(r * 0.5)} ${n(-up * 0.4)} ${n(r * 0.75)} ${n(-up * 0.3)} ${n(r * 0.88)} 0C${n(r * 0.5)} ${n(r * 0.6)} ${n(r * 0.2)} ${n(r * 0.5)} ${n(r * 0.2)} ${n(-up * 0.4)}Z`, fill: paint.side, opacity: 0.75 }),
    s("ellipse", { cx: 0, cy: n(-up * 0.88), rx: n(r * 0.27), ry: n(up * 0.17), fill: "#14181f", opacity: 0.82 }),
    text(letterOf(piece.colour, language), n(r * 0.85), -up * 0.16, paint.mark),
  ];
  return s("g", {},
    shadow(r, r * 0.75, (type.height_mm ?? 32) * 0.6),
    s("g", { transform: piece.lying ? `translate(${n(-up / 2)} ${n(r * 0.3)}) rotate(90)` : null }, body),
    piece.facing ? facing(piece.facing, r) : null);
}

function facing(way, r) {
  const side = way === "clockwise" ? 1 : -1;
  return s("path", { d: `M${n(side * (r + 1.5))} -3L${n(side * (r + 5))} 0L${n(side * (r + 1.5))} 3`, fill: "none", stroke: "#1d2430", "stroke-width": 1.3, "stroke-linejoin": "round", "stroke-linecap": "round" });
}

function trilith({ type, angle, paint }) {
  const span = type.span_mm ?? 45, height = type.height_mm ?? 40, cap = type.capstone_height_mm ?? 9;
  const turn = radians(angle), at = [(Math.cos(turn) * span) / 2, (Math.sin(turn) * span) / 2];
  const pillars = [[-at[0], -at[1]], at].sort((a, b) => a[1] - b[1]);
  return s("g", {},
    s("rect", { x: -(type.capstone_length_mm ?? 60) / 2, y: -6, width: type.capstone_length_mm ?? 60, height: 12, rx: 3, transform: `translate(4.5 3.2) rotate(${n(angle)})`, class: "shadow" }),
    pillars.map(([x, y]) => s("g", { transform: `translate(${n(x)} ${n(y)})` }, box(type.pillar_length_mm ?? 13, type.pillar_width_mm ?? 11, 0, height - cap, angle, paint))),
    box(type.capstone_length_mm ?? 60, type.capstone_width_mm ?? 12, height - cap, height, angle, paint),
    s("circle", { cy: n(-height * LIFT), r: 4.6, fill: "none", stroke: paint.edge, "stroke-width": 0.5, opacity: 0.7 }));
}

function stone({ piece, type, angle, paint, language }) {
  const standing = piece.kind === "pillar" || piece.kind === "capstone";
  const [length, width, height] = [type.length_mm ?? 13, type.width_mm ?? 11, type.height_mm ?? 31];
  return s("g", {}, shadow(length * 0.5, width * 0.5, height * 0.5, standing ? angle : 0), box(length, width, 0, height, standing ? angle : 0, paint),
    standing ? null : text(letterOf(piece.colour, language), 5, 1, paint.mark));
}

function megalith({ piece, type, paint, language }) {
  const w = (type.length_mm ?? 10) / 2 + 0.8, up = (type.height_mm ?? 22) * LIFT * 1.5;
  const d = `M${n(-w)} 2.4L${n(-w * 0.92)} ${n(-up * 0.86)}Q${n(-w * 0.8)} ${n(-up * 1.04)} ${n(-w * 0.2)} ${n(-up * 1.06)}L${n(w * 0.62)} ${n(-up)}Q${n(w * 0.96)} ${n(-up * 0.96)} ${n(w * 0.94)} ${n(-up * 0.8)}L${n(w)} 2.4Q0 4.4 ${n(-w)} 2.4Z`;
  return s("g", {}, shadow(w, w * 0.55, 12),
    s("path", { d, fill: paint.top, stroke: paint.edge, "stroke-width": 0.5, "stroke-linejoin": "round" }),
    s("path", { d: `M${n(w * 0.3)} ${n(-up * 1.03)}L${n(w * 0.42)} 3.1Q${n(w * 0.7)} 2.9 ${n(w)} 2.4L${n(w * 0.94)} ${n(-up * 0.8)}Q${n(w * 0.96)} ${n(-up * 0.96)} ${n(w * 0.62)} ${n(-up)}Z`, fill: paint.side }),
    s("path", { d, fill: "none", stroke: paint.mark, "stroke-width": 0.5, "stroke-dasharray": PATTERNS[piece.colour], opacity: piece.colour === "brown" ? 0.6 : 0, transform: "scale(.78) translate(0 -.8)" }),
    text(letterOf(piece.colour, language), 6, -up * 0.28, paint.mark));
}

function card({ board, piece, type, angle }) {
  const w = type.width_mm ?? 34, h = type.length_mm ?? 50;
  const down = piece.face === "down";
  const ink = paints(board, piece.colour ?? "grey");
  const upright = ((angle % 180) + 180) % 180 - 90; // its long side lies along the angle
  return s("g", { transform: `rotate(${n(upright)})` },
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 3, transform: "translate(1 1.2)", class: "shadow" }),
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 3, fill: down ? "#59616c" : "#fbf8f0", stroke: "#3c434d", "stroke-width": 0.5 }),
    down ? cardBack(w, h, piece) : cardFront(w, h, piece, ink));
}

function cardBack(w, h, piece) {
  return [
    s("rect", { x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: 1.5, fill: "none", stroke: "#e9e3d3", "stroke-width": 0.5, opacity: 0.6 }),
    dolmen("#e9e3d3", 1.1), piece.phase ? phaseMark(piece.phase, 0, h / 2 - 9, "#e9e3d3") : null,
  ];
}

function cardFront(w, h, piece, ink) {
  const colour = ink.face;
  return [
    s("rect", { x: -w / 2 + 1.8, y: -h / 2 + 1.8, width: w - 3.6, height: 6, rx: 1.6, fill: colour, stroke: ink.edge, "stroke-width": 0.25 }),
    piece.number ? text(String(piece.number), 17, 5.5, "#1d2430") : dolmen(ink.edge, 1.4),
    piece.phase ? phaseMark(piece.phase, 0, h / 2 - 9, "#1d2430") : null,
  ];
}

export function phaseMark(phase, x, y, ink) {
  const at = { transform: `translate(${n(x)} ${n(y)})` };
  if (phase === "night") return s("path", { ...at, d: "M2.6 1.8A4 4 0 1 1 -.4 -3.8A3.2 3.2 0 0 0 2.6 1.8Z", fill: ink });
  const rays = Array.from({ length: 8 }, (_, i) => { const t = radians(45 * i); return `M${n(3 * Math.cos(t))} ${n(3 * Math.sin(t))}L${n(4.4 * Math.cos(t))} ${n(4.4 * Math.sin(t))}`; }).join("");
  return s("g", at, s("circle", { r: 2.1, fill: "none", stroke: ink, "stroke-width": 0.8 }), s("path", { d: rays, stroke: ink, "stroke-width": 0.8, "stroke-linecap": "round" }));
}

/** The sign of a trilith: two pillars and a capstone. */
export function dolmen(ink, scale = 1, more = {}) {
  return s("path", { d: "M-7 -5.5H7V-2.5H-7ZM-5.5 -2H-2.5V6H-5.5ZM2.5 -2H5.5V6H2.5Z", fill: ink, transform: `scale(${scale})`, ...more });
}

const DRAW = { disc, block, figure, trilith, pillar: stone, capstone: stone, druid, megalith, card };
