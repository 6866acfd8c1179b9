// The council's seats in play: an arc outside the ring for every block, and at every border between the factions what
// it costs to persuade across it.

import { s } from "../dom.js";
import { around, direction, distance, number as n, outline } from "./geometry.js";

const OUTSIDE_MM = 4; // so far beyond the ring runs the arc
const HALF_SEAT_DEG = 5;
const STEP_DEG = 2;
const FACTION = { white: "pro", yellow: "pro", red: "contra", blue: "contra" };

/** [elements below the pieces, elements above them] for the insights of a `council` state in which `mover` is to move. */
export function drawCouncil(board, insights, players, mover) {
  if (!insights?.blocks) return [[], []];
  const seats = new Ring(board);
  return [insights.blocks.filter((block) => block.size > 1).flatMap((block) => drawBlock(seats, block)), insights.persuasions.filter((each) => each.faction === FACTION[mover]).map((each) => price(seats, each))];
}

/** Where the seats are, seen from the middle of the board. */
class Ring {
  constructor(board) {
    this.board = board;
    const corners = [...board.fields.values()].filter((field) => field.kind === "ring").flatMap((field) => outline(field));
    this.outside = Math.max(...corners.map((corner) => distance(board.middle, corner))) + OUTSIDE_MM;
  }

  direction(id) { return direction(this.board.middle, this.board.fields.get(id).centre); }

  at(degrees, radius) { return around(this.board.middle, degrees, radius); }

  radius(id) { return distance(this.board.middle, this.board.fields.get(id).centre); }

  /** Degrees from one seat to another, the short way. */
  turn(from, to) { return ((this.direction(to) - this.direction(from) + 540) % 360) - 180; }
}

function drawBlock(seats, { faction, fields, size }) {
  const way = Math.sign(seats.turn(fields[0], fields[1])), begin = seats.direction(fields[0]) - way * HALF_SEAT_DEG;
  const span = fields.slice(1).reduce((sum, id, i) => sum + Math.abs(seats.turn(fields[i], id)), 2 * HALF_SEAT_DEG);
  const points = Array.from({ length: Math.ceil(span / STEP_DEG) + 1 }, (_, i) => seats.at(begin + way * Math.min(span, i * STEP_DEG), seats.outside));
  const d = `M${points.map((point) => point.map(n).join(" ")).join("L")}`;
  const [x, y] = seats.at(begin + (way * span) / 2, seats.outside);
  return [s("path", { class: `block-arc ${faction}`, d }), s("path", { class: `block-arc second ${faction}`, d }),
    s("g", { class: "block-size", transform: `translate(${n(x)} ${n(y)})` }, s("circle", { r: 5.6 }), s("text", { y: 2.8 }, String(size)))];
}

/** How many arguments it takes, on the border, with an arrow to whom they are meant for. */
function price(seats, { from, to, cost, affordable }) {
  const turn = seats.turn(from, to), [x, y] = seats.at(seats.direction(from) + turn / 2, seats.radius(from) - 12);
  const angle = seats.direction(from) + turn / 2 + (turn > 0 ? 0 : 180);
  return s("g", { class: affordable ? "price affordable" : "price", transform: `translate(${n(x)} ${n(y)})` },
    s("path", { d: "M4 -4.4L9.6 0L4 4.4Z", transform: `rotate(${n(angle)})` }), s("circle", { r: 5.4 }), s("text", { y: 2.7 }, String(cost)));
}
