// The table that is shown: loading it, following its events, and everything that people do to it.

import { get, listen, send, sendFile } from "./api.js";
import { prepareBoard } from "./board/geometry.js";
import { set, store } from "./store.js";

const boards = new Map();
let stopListening = null;
let loading = false, again = false;

const path = (rest = "") => `/tables/${encodeURIComponent(store.route.table)}${rest}`;

/** Opens the table of the route and follows it; `at`: the entry to look at first. */
export async function openTable(at = null) {
  closeTable();
  const table = await get(path());
  if (!boards.has(table.board)) boards.set(table.board, prepareBoard(await get(`/boards/${table.board}`)));
  const player = table.replayed ? await get(path("/player")) : null;
  set({ table, board: boards.get(table.board), player, moment: table.moment, at: null, field: null, chosen: {}, group: null, moves: await get(path("/moves")) });
  await loadObservation();
  if (at !== null && at < table.entries.length) await lookAt(at);
  if (player && player.step === 0 && !player.playing) drive({ playing: true });
  stopListening = listen(table.id, table.event, heard, (connected) => set({ connected }));
}

export function closeTable() {
  stopListening?.();
  stopListening = null;
  set({ table: null, moves: null, observation: null, player: null, at: null, main: "board", fade: 0, playing: false });
}

function heard(kind, data, id) {
  if (kind === "view") loadObservation(true);
  if (id > (store.table?.event ?? 0)) reload();
}

/** Loads the table anew; calls that come meanwhile are answered by one more load. */
async function reload() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    do {
      again = false;
      const id = store.route.table;
      const moves = get(path("/moves"));
      moves.catch(() => {}); // complained of below
      const table = await get(path());
      if (store.route.table === id && store.table) accept(table);
      await acceptMoves(moves, id);
      if (store.player) set({ player: await get(path("/player")) });
    } while (again);
  } catch (error) {
    if (error.message !== "offline") complain(error);
  } finally {
    loading = false;
  }
}

/** Shows a table; its moves come a moment later. */
function accept(table) {
  if (table.event < store.table.event) return;
  const moved = table.entries.length !== store.table.entries.length;
  set({ table, ...(moved ? { moves: null } : {}), ...(store.at === null ? { moment: table.moment } : {}), ...(moved ? { chosen: {}, group: null, field: null, message: null } : {}) });
}

/** The moves of the table that is shown; asked for again when the table has gone on meanwhile. */
async function acceptMoves(coming, id = store.route.table) {
  let moves = await coming;
  const isShown = () => store.route.table === id && store.table;
  while (isShown() && moves.event < store.table.event) moves = await get(path("/moves"));
  if (isShown()) set({ moves });
}

async function loadObservation(fresh = false) {
  if (!store.table) return;
  if (!store.table.view && !store.observation && !fresh) return; // no picture has been taken
  try {
    set({ observation: await get(path("/observation")) });
  } catch {
    set({ observation: null });
  }
}

/** Looks at the moment after entry `number`; at the last one that is now. */
export async function lookAt(number) {
  const last = store.table.entries.length;
  if (number === null || number >= last) return set({ at: null, moment: store.table.moment, playing: false });
  const at = Math.max(0, number);
  set({ at });
  const moment = await get(path(`/moments/${at}`));
  if (store.at === at) set({ moment });
}

export function complain(error) {
  set({ message: { text: error.reason ?? (error.message === "offline" ? null : error.message), bad: true } });
}

async function change(method, rest, body) {
  try {
    const table = await send(method, path(rest), body);
    if (store.at !== null) set({ at: null, moment: table.moment });
    accept(table);
    await acceptMoves(get(path("/moves")));
    return table;
  } catch (error) {
    complain(error);
    return null;
  }
}

export const play = (text) => change("POST", "/moves", { text });
export const draw = () => change("POST", "/draw");
export const undo = () => change("POST", "/undo");
export const redo = () => change("POST", "/redo");
export const answer = (number) => change("POST", "/answers", { number });
export const correct = (place, thing) => change("POST", "/corrections", { place, thing });
export const allow = () => change("POST", "/agreements");
export const note = (text) => change("POST", "/notes", { text });
export const shelve = (away) => change("PUT", "/shelf", { away });
/** What a move would change on the board; asked for when there are too many moves to tell it with each. */
export async function changeOf(move) {
  if (move.change === undefined) move.change = (await check(move.text).catch(() => null))?.change ?? null;
  return move.change;
}

export const check = (text) => get(path(`/moves/check?text=${encodeURIComponent(text)}`));

export async function sendPhoto(file) {
  try {
    accept(await sendFile(path("/photos"), file));
  } catch (error) {
    complain(error);
  }
}

export async function drive(body) {
  try {
    set({ player: await send("PUT", path("/player"), body) });
  } catch (error) {
    complain(error);
  }
}

/** The address of a picture of this table. */
export const pictureAddress = (rest) => `/api${path(rest)}`;
