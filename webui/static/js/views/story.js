// The story of the game: a scrubber with the score curve behind it, and the list of what happened.

import { h, icon, s } from "../dom.js";
import { set, store } from "../store.js";
import { lookAt, note, pictureAddress } from "../table.js";
import { player, sentence, time, word } from "../words.js";
import { iconButton, stone } from "./parts.js";
import { records } from "./records.js";

const STEP_MS = 900;
let clock = null;
let noted = ""; // what is being written

export const here = () => store.at ?? store.table.entries.length;

/** The moments worth stopping at: the beginning and every entry that somebody made; deals that nobody saw
 * belong to the entry before them. */
export function stops() {
  const { entries } = store.table;
  const unseen = (entry) => entry?.by === "rules" && entry.text.includes("??");
  const made = entries.filter((entry) => !unseen(entry)).map((entry) => {
    let last = entry.number;
    while (unseen(entries[last])) last += 1; // entries[last] is entry number last + 1
    return { entry, at: last };
  });
  return [{ entry: null, at: 0 }, ...made];
}

function index(all = stops()) {
  const found = all.findIndex((stop) => stop.at >= here());
  return found < 0 ? all.length - 1 : found;
}

/** One moment back or on; off the end is now. */
export function step(by) {
  stop();
  const all = stops();
  return lookAt(all[Math.max(0, index(all) + by)]?.at ?? null);
}

export function togglePlay() {
  if (store.playing) return stop();
  if (!store.table.entries.length) return;
  if (store.at === null) lookAt(0);
  set({ playing: true });
  clock = setInterval(() => (store.at === null ? stop() : forward()), STEP_MS);
}

function forward() {
  const all = stops();
  lookAt(all[index(all) + 1]?.at ?? null);
}

function stop() {
  clearInterval(clock);
  clock = null;
  if (store.playing) set({ playing: false });
}

export function scrubber() {
  const all = stops(), last = all.length - 1, at = index(all);
  const words = (n) => [h("b", {}, word("story.entry", all[n].at, all[last].at)), h("span", { class: "quiet small" }, entryWords(all[n]))];
  const where = h("p", { class: "where number" }, words(at));
  // While its handle is dragged the rest of this part waits.
  const drag = (n) => { stop(); lookAt(all[n]?.at ?? null); where.replaceChildren(...words(n)); };
  return h("section", { class: "scrubber", "aria-label": word("story") },
    h("div", { class: "buttons" },
      iconButton("first", word("story.first"), () => { stop(); lookAt(0); }, { disabled: at === 0 }),
      iconButton("back", word("story.prev"), () => step(-1), { disabled: at === 0 }),
      iconButton(store.playing ? "pause" : "play", word(store.playing ? "story.pause" : "story.play"), togglePlay, { disabled: last === 0, "data-key": "icon-play" }),
      iconButton("forward", word("story.next"), () => step(1), { disabled: store.at === null }),
      iconButton("last", word("story.last"), () => { stop(); lookAt(null); }, { disabled: store.at === null })),
    h("div", { class: "track" }, curve(all, at),
      h("input", { type: "range", min: 0, max: Math.max(1, last), value: at, step: 1, disabled: last === 0, "data-key": "scrub", "aria-label": word("story.slider"), "aria-valuetext": entryWords(all[at]), oninput: (event) => drag(Number(event.target.value)) })),
    where);
}

const entryWords = ({ entry }) => (entry ? sentence(entry.words) : word("story.start"));

/** The totals of every moment as one line per player; 100 wide per entry, 100 high. */
function curve(stops_, at) {
  const all = stops_.map((each) => store.table.curve[each.at]), players = store.table.players;
  const last = all.length - 1;
  const values = all.flatMap((totals) => Object.values(totals));
  const low = Math.min(0, ...values), high = Math.max(1, ...values);
  const y = (value) => (94 - ((value - low) / (high - low)) * 86).toFixed(1);
  const paths = players.map((p) => s("path", { class: `curve ${p}`, d: all.map((totals, i) => (i ? `H${i * 100}V${y(totals[p])}` : `M0 ${y(totals[p])}`)).join("") }));
  return s("svg", { viewBox: `0 0 ${Math.max(1, last) * 100} 100`, preserveAspectRatio: "none", "aria-hidden": "true" }, paths, s("path", { class: "cursor", d: `M${at * 100} 0V100` }));
}

async function keep(event) {
  event.preventDefault();
  if (!noted.trim() || !(await note(noted.trim()))) return;
  noted = "";
  set({});
}

export function storyPanel() {
  const all = stops().slice(1);
  return h("div", { class: "story" },
    store.table.moment.is_over ? null : records(),
    all.length ? h("ol", { class: "entries" }, all.reverse().map(entry)) : h("p", { class: "quiet" }, word("story.none")),
    h("form", { class: "typing", onsubmit: keep },
      h("div", { class: "field-row" }, h("input", { type: "text", name: "note", "data-key": "note", "aria-label": word("story.note"), placeholder: word("story.note"), autocomplete: "off", maxlength: 500, value: noted, oninput: (event) => { noted = event.target.value; } }), h("button", { type: "submit" }, "+"))));
}

function entry({ entry: each, at }) {
  const current = at === here();
  const how = each.by ? word(`story.by.${each.by}`) : "";
  const sure = typeof each.confidence === "number" ? word("story.sure", Math.round(each.confidence * 100)) : null;
  return h("li", { class: `entry of-${each.kind}` },
    h("button", { type: "button", "data-key": `entry-${each.number}`, "aria-current": current ? "step" : null, onclick: () => { stop(); lookAt(at); } },
      h("span", { class: "number quiet" }, String(each.number)), each.kind === "move" ? stone(each.mover ?? "grey") : h("span", { class: "stone grey", "aria-hidden": "true" }, SIGNS[each.kind]),
      h("span", { class: "what" }, each.kind === "move" ? h("span", { class: "unseen" }, `${player(each.mover)}: `) : null, sentence(each.words)),
      h("span", { class: "quiet small number when", title: how }, [sure, time(each.at)].filter(Boolean).join(" · "))),
    each.photo ? h("a", { class: "bare-link", href: pictureAddress(`/photos/${each.photo}`), target: "_blank", rel: "noopener", "aria-label": word("story.photo") }, icon("camera")) : null);
}

const SIGNS = { undo: "↶", redo: "↷", correction: "✎", allowed: "✓", hand: "▯", note: "…" };
