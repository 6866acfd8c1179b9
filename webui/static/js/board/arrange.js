// Where pieces are drawn that share a field: heaps are stacked, a yard's belongings are laid out in its corner.

import { placeName, placeOf } from "./geometry.js";

/** [{piece, at, angle, heightUnder}], the ones further from us first, so that nearer ones cover them. */
export function arrange(board, pieces) {
  const groups = new Map();
  for (const piece of pieces) {
    const name = placeName(piece);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(piece);
  }
  const laid = [...groups.values()].flatMap((group) => {
    const kind = board.fields.get(group[0].field)?.kind;
    return kind === "yard" && group.some((piece) => piece.x_mm === undefined) ? inYard(board, group) : onField(board, group);
  });
  return laid.sort((a, b) => a.at[1] - b.at[1] || a.heightUnder - b.heightUnder);
}

function onField(board, group) {
  let height = 0;
  return group.flatMap((piece, i) => {
    const place = placeOf(board, piece);
    if (!place) return [];
    const beside = group.length > 1 && piece.kind === "figure" && i > 0 ? 6 : 0;
    const laid = { piece, ...place, at: [place.at[0] + beside, place.at[1]], heightUnder: place.heightUnder + (beside ? 0 : height) };
    height += ["disc", "druid"].includes(piece.kind) ? board.pieces[piece.kind]?.height_mm ?? 5 : 0;
    return [laid];
  });
}

// Of the top-left yard, in mm from the board's corner; the other yards are the same, turned by quarters.
const CARD_SPOT = [65.5, 65.5];
const CAPSTONE_SPOT = [106, 20]; // along the edge
const SPOTS = [[26, 62], [25, 84], [22, 106], [19, 127], [15, 146], [58, 24], [148, 14], [44, 98], [98, 44]];

function inYard(board, group) {
  const yard = board.fields.get(group[0].field), quarters = ((yard.number ?? 1) - 1) % 4;
  const cards = group.filter((piece) => piece.kind === "card");
  const capstones = group.filter((piece) => piece.kind === "capstone");
  const others = group.filter((piece) => !["card", "capstone"].includes(piece.kind)).sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return [
    ...cards.map((piece, i) => ({ piece, at: turned(board, [CARD_SPOT[0] + i * 5 - (cards.length > 2 ? 8 : 0), CARD_SPOT[1] - i * 5 + (cards.length > 2 ? 8 : 0)], quarters), angle: yard.angle_deg, heightUnder: 0 })),
    ...capstones.map((piece, i) => ({ piece, at: turned(board, [CAPSTONE_SPOT[0], CAPSTONE_SPOT[1] + i * 14], quarters), angle: quarters * 90, heightUnder: 0 })),
    ...others.map((piece, i) => ({ piece, at: turned(board, SPOTS[i % SPOTS.length], quarters), angle: 0, heightUnder: 0 })),
  ];
}

const ORDER = ["pillar", "figure", "disc", "block", "trilith"];

function turned(board, [x, y], quarters) {
  const [cx, cy] = board.middle;
  let p = [x - cx, y - cy];
  for (let i = 0; i < quarters; i++) p = [-p[1], p[0]];
  return [p[0] + cx, p[1] + cy];
}
