// Knizia's ley lines in play: whose they are, which may be claimed, and the sums beside each line's end.

import { s } from "../dom.js";
import { leyPath, leyPoints } from "./artwork.js";
import { number as n } from "./geometry.js";

/** [elements below the pieces, elements above them] for the insights of a `stonehenge` state. */
export function drawLines(board, insights, players) {
  if (!insights?.lines) return [[], []];
  const strength = { contested: 0, unclear: 0, dominated: 1, overlooked: 2, claimed: 3, claimable: 4 };
  const lines = [...insights.lines].sort((a, b) => strength[a.status] - strength[b.status]);
  return [lines.flatMap((line) => held(board, line)), lines.map((line) => sums(board, line, players))];
}

function held(board, line) {
  const owner = line.claimed_by ?? (line.dominated_by.length === 1 ? line.dominated_by[0] : null);
  if (!owner) return [];
  const d = leyPath(board, line), kind = line.status === "claimed" ? "claimed" : "dominated";
  return [
    line.status === "claimable" ? s("path", { class: "held-claimable", d }) : s("path", { class: `held-edge ${kind}`, d }),
    s("path", { class: `held ${owner} ${kind}`, d }),
  ];
}

/** "6 : 5" outside the line's end, the players in seat order, each with the mark of his stone. */
function sums(board, line, players) {
  if (line.status === "claimed" || players.every((p) => !line.sums[p])) return s("g", {});
  const [end, next] = leyPoints(board, line);
  const away = [end[0] - next[0], end[1] - next[1]], length = Math.hypot(...away);
  const radius = board.fields.get(line.line).radius_mm;
  const x = end[0] + (away[0] / length) * (radius + (Math.abs(away[0]) > Math.abs(away[1]) ? 21 : 12)), y = end[1] + (away[1] / length) * (radius + 7.5);
  const most = Math.max(...players.map((p) => line.sums[p]));
  return s("g", { class: `sum ${line.status}`, transform: `translate(${n(x)} ${n(y)})` },
    s("rect", { x: -17, y: -5.6, width: 34, height: 11.2, rx: 5.6 }),
    players.map((p, i) => [
      s("circle", { class: p, cx: i ? 11.6 : -11.6, cy: 0, r: 2.7 }),
      s("text", { class: line.sums[p] === most ? "leads" : "", x: i ? 4.6 : -4.6, y: 2.5 }, String(line.sums[p]))]));
}
