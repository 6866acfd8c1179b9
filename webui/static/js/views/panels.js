// Everything beside the board: picture, question or alarm, scores, moves, story, the board in words.

import { h, show } from "../dom.js";
import { set, store } from "../store.js";
import { word } from "../words.js";
import { help } from "./bar.js";
import { player, tile } from "./camera.js";
import { fieldPanel } from "./field.js";
import { movesPanel } from "./moves.js";
import { question } from "./question.js";
import { scores } from "./scores.js";
import { scrubber, storyPanel } from "./story.js";
import { textPanel } from "./text.js";

export { photo } from "./camera.js";
export { candidates, legalFields } from "./moves.js";

const TABS = ["moves", "story", "table"];
let asked = null; // what was asked when the panels were last drawn

/** Fills the lasting parts of the table view. preview(change) shows a difference on the board, count(places) the
 * fields that count, open(field) a field. */
export function drawPanels(parts, { preview, count, open }) {
  const panels = { moves: () => movesPanel({ preview }), story: storyPanel, table: textPanel };
  const asks = foldFor(whatIsAsked());
  show(parts.tile, tile(parts.board));
  show(parts.asked, store.help ? help() : null, store.field ? fieldPanel({ preview }) : question({ preview, open }));
  show(parts.scores, scores({ count }));
  show(parts.tabs, TABS.map(tab));
  show(parts.panel, panels[store.tab]());
  parts.handle.setAttribute("aria-expanded", String(store.sheet));
  parts.handle.setAttribute("aria-label", word("more"));
  const { classList } = parts.sheet.closest(".table-view");
  classList.toggle("sheet-up", store.sheet);
  classList.toggle("asks", asks && !store.sheet);
  show(parts.story, scrubber(), player());
}

/** What the people are asked or told at the moment, as a text to compare; null for nothing. */
function whatIsAsked() {
  const { table, at, field, help: helps } = store, { name } = table.status;
  if (helps) return "help";
  return field ?? (at === null && ["asking", "out_of_step"].includes(name) ? `${name} ${table.entries.length}` : null);
}

/** On a phone a sheet that is pulled up lies over what is asked, and is folded for what is new. */
function foldFor(now) {
  if (now !== null && now !== asked) store.sheet = false;
  asked = now;
  return now !== null;
}

function tab(name) {
  return h("button", { type: "button", role: "tab", "data-key": `tab-${name}`, "aria-selected": String(store.tab === name), onclick: () => set({ tab: name, field: null }) }, word(name));
}
