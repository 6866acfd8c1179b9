// Knizia's ley lines in play: whose they are, which may be claimed, and the sums at each line's end.

import { s } from "../dom.js";
import { distance, number as n } from "./geometry.js";

const STRENGTH = { contested: 0, unclear: 0, dominated: 1, overlooked: 2, claimed: 3, claimable: 4 };

/** [elements below the pieces, elements above them] for the insights of a `stonehenge` state. */
export function drawLines(board, insights, players) {
  if (!insights?.lines) return [[], []];
  const lines = [...insights.lines].sort((a, b) => STRENGTH[a.status] - STRENGTH[b.status]);
  return [lines.flatMap((line) => held(board, line)), lines.map((line) => sums(board, line, players))];
}

/** The points a ley line runs through: its marker field, then its spaces from there. */
function leyFields(board, line) {
  const end = board.fields.get(line.line), spaces = line.spaces.map((id) => board.fields.get(id));
  if (distance(end.centre, spaces[0].centre) > distance(end.centre, spaces.at(-1).centre)) spaces.reverse();
  return [end, ...spaces];
}

/** The line's stretches between its fields, each from edge to edge. */
function stretches(board, line) {
  const fields = leyFields(board, line);
  return fields.slice(1).map((field, i) => {
    const [a, b] = [fields[i], field], length = distance(a.centre, b.centre);
    const at = (from, share) => from.centre.map((v, k) => n(v + (((from === a ? b : a).centre[k] - v) * share) / length)).join(" ");
    return `M${at(a, a.radius_mm + 1)}L${at(b, b.radius_mm + 1)}`;
  }).join("");
}

function held(board, line) {
  const owner = line.claimed_by ?? (line.dominated_by.length === 1 ? line.dominated_by[0] : null);
  if (!owner) return [];
  const d = stretches(board, line);
  return [s("path", { class: `held-edge ${line.status}`, d }), s("path", { class: `held ${owner} ${line.status}`, d })];
}

/** The sums of both players on the line's marker field, as long as no megalith stands there. */
function sums(board, line, players) {
  if (line.status === "claimed" || players.every((p) => !line.sums[p])) return s("g", {});
  const { centre: [x, y] } = board.fields.get(line.line);
  const most = Math.max(...players.map((p) => line.sums[p]));
  return s("g", { class: `sum ${line.status}`, transform: `translate(${n(x)} ${n(y)})` },
    players.map((p, i) => [
      s("path", { class: `half ${p}`, d: i ? "M0 -5.6H6A5.6 5.6 0 0 1 6 5.6H0Z" : "M0 -5.6H-6A5.6 5.6 0 0 0 -6 5.6H0Z" }),
      s("text", { class: line.sums[p] === most ? "leads" : "", x: i ? 5.2 : -5.2, y: 2.6 }, String(line.sums[p]))]),
    s("rect", { class: "rim", x: -11.6, y: -5.6, width: 23.2, height: 11.2, rx: 5.6 }));
}
