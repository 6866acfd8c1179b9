// A row per player; it opens to the breakdown, and pointing at a line of it shows the fields that count.

import { h } from "../dom.js";
import { store } from "../store.js";
import { player, said, sentence, word } from "../words.js";
import { playerFacts, tableFacts } from "./facts.js";
import { stone } from "./parts.js";

/** `count(places)` shows on the board which fields a line of the breakdown counts; [] for none. */
export function scores({ count }) {
  const { table, moment } = store;
  const totals = table.players.map((p) => moment.scores[p].total);
  const best = Math.max(...totals);
  const alone = totals.filter((total) => total === best).length === 1;
  return h("section", { class: "scores", "aria-label": word("scores") }, table.players.map((p) => row(p, moment.scores[p], { leads: alone && moment.scores[p].total === best, best, count })), tableFacts(), series());
}

function row(p, score, { leads, best, count }) {
  const won = store.moment.winners.includes(p);
  const width = best > 0 ? Math.max(0, score.total) / goal(best) : 0;
  return h("details", { class: `score${store.moment.to_move === p ? " to-move" : ""}`, "data-key": `score-${p}` },
    h("summary", { "data-key": `summary-${p}` }, stone(p), h("span", { class: "who" }, player(p)),
      leads || won ? h("span", { class: "tag" }, won ? "★" : word("score.leads")) : null,
      h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: p, vars: { "--share": `${Math.min(1, width) * 100}%` } })),
      h("b", { class: "number total" }, String(score.total)), h("span", { class: "unit quiet small" }, said(score.unit)), extras(p)),
    breakdown(score, count));
}

/** What a full bar stands for: eight megaliths, or the leader's score. */
function goal(best) {
  return store.table.game === "stonehenge" ? 8 : Math.max(best, 10);
}

function breakdown(score, count) {
  const parts = score.parts.filter((part) => part.points !== 0);
  if (!parts.length) return h("p", { class: "quiet small parts" }, word("score.none"));
  return h("ul", { class: "parts" }, parts.map((part) => h("li", { tabindex: part.places.length ? "0" : null, onpointerenter: () => count(part.places), onpointerleave: () => count([]), onfocus: () => count(part.places), onblur: () => count([]) },
    h("span", {}, sentence(part.label)), h("span", { class: "number" }, String(part.points)))));
}

function extras(p) {
  const facts = playerFacts(p);
  return facts.length ? h("span", { class: "hand small" }, facts.map(([label, content]) => h("span", { class: "fact" }, h("span", { class: "quiet" }, word(label)), content))) : null;
}

/** The running total of a series of games: what the losers had left; fewer is better. */
function series() {
  const { table, series: found } = store;
  if (!found || found.games.length === 0) return null;
  return h("p", { class: "series small" }, h("span", {}, h("b", {}, word("hall.series")), h("span", { class: "quiet" }, ` · ${word("series.games", found.games.length)} · ${word("series.left")}`)),
    table.players.map((p) => h("span", { class: "counted" }, stone(p), h("span", { class: "unseen" }, player(p)), h("b", { class: "number" }, String(found.totals[p])))));
}
