// The table that is shown: loading it, following its events, and everything that people do to it.

import { get, listen, send, sendFile } from "./api.js";
import { prepareBoard } from "./board/geometry.js";
import { found, load, lost } from "./connection.js";
import { go } from "./route.js";
import { set, store } from "./store.js";
import { word } from "./words.js";

const boards = new Map();
let stopListening = null;
let loading = false, wanted = 0, asking = 0;
let moved = false, viewed = false; // what the events since the last load were about

const path = (rest = "") => `/tables/${encodeURIComponent(store.route.table)}${rest}`;

/** The moves of now; on the page of a hand those of its player, and what else he alone may know. */
async function movesNow() {
  const { view, player } = store.route;
  if (view !== "hand") return get(path("/moves"));
  if (!player || !store.seats?.some((seat) => seat.player === player && seat.mine)) return { event: Infinity, moves: [], to_move: null };
  const hand = await get(path(`/hands/${player}`));
  set({ hand });
  return hand.moves;
}

/** Opens the table of the route and follows it, once the last one is closed; `at`: the entry to look at first. */
export async function openTable(at = null) {
  wanted = 0;
  moved = viewed = false;
  const { route } = store;
  const table = await get(path());
  if (!boards.has(table.board)) boards.set(table.board, prepareBoard(await get(`/boards/${table.board}`)));
  if (store.route !== route) return; // somebody went on meanwhile
  set({ table, board: boards.get(table.board), moment: table.moment, at: null, field: null, chosen: {}, group: null, shown: null });
  follow();
  const isHand = store.route.view === "hand";
  if (!isHand) loadCamera();
  if (isHand) set({ seats: await get(path("/seats")) });
  const moves = acceptMoves(movesNow());
  moves.catch(() => {}); // awaited below
  if (!isHand) {
    await loadObservation();
    if (at !== null && at < table.entries.length) await lookAt(at);
    if (table.replayed) await openPlayer();
    await loadPast();
  }
  await moves;
}

/** Listens from the table that is shown on. A tab that nobody sees or hears does not: a browser opens six
 * connections for all of its tabs, and the next one would wait for ever. */
function follow() {
  const { table } = store, isAwake = document.visibilityState === "visible" || store.voice;
  if (table && isAwake) stopListening ??= listen(table.id, table.event, heard, (connected) => (connected ? found() : set({ connected })), askAgain);
  else stopFollowing();
}

const ASK_AGAIN_MS = 5000;

/** The server lets nobody listen: too many do, or it was started anew and this device has to pair once more. */
function askAgain() {
  stopFollowing();
  get(path()).then(() => setTimeout(follow, ASK_AGAIN_MS), (error) => (error.status === 401 ? go("/pair") : setTimeout(follow, ASK_AGAIN_MS)));
}

function stopFollowing() {
  stopListening?.();
  stopListening = null;
}

document.addEventListener("visibilitychange", follow);

/** What earlier games have to do with this one: the series of Stonehenge, the records of Rolling Rocks. */
async function loadPast() {
  const { table } = store;
  const past = table.game === "stonehenge" ? { series: await get(path("/series")) } : table.game === "rolling" ? { records: await get("/records") } : {};
  if (store.table?.id === table.id) set(past);
}

/** Which table the camera watches. */
function loadCamera() {
  return get("/camera").then((camera) => set({ camera }), () => {}); // the next news asks again
}

/** The camera watches the table that is shown from now on. */
export async function watchHere() {
  if (store.me?.may === "look") return complain(new Error(word("may.look")));
  try {
    set({ camera: await send("PUT", "/camera", { table: store.table.id }), message: null });
  } catch (error) {
    complain(error);
  }
}

async function openPlayer() {
  const player = await get(path("/player"));
  set({ player });
  if (player.step <= 1 && !player.playing && store.me?.may !== "look") drive({ playing: true });
}

/** Takes or opens the seat of the hand's page; whether it was possible. */
export async function takeSeat(pin) {
  try {
    set({ me: await send("PUT", path(`/seats/${store.route.player}`), { pin }), message: null });
    set({ seats: await get(path("/seats")) });
    await acceptMoves(movesNow());
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Tells a hand; whether it can be that. */
export async function tellHand(cards) {
  try {
    set({ hand: await send("POST", path(`/hands/${store.route.player}`), { cards }), message: null });
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

export function closeTable() {
  stopFollowing();
  if (!store.connected) lost(); // the stream would have told when it is back
  set({ table: null, series: null, records: null, seats: null, hand: null, moves: null, observation: null, health: null, player: null, at: null, main: "board", fade: 0, playing: false });
}

function heard(kind, id) {
  viewed ||= kind === "view";
  moved ||= kind !== "view" && kind !== "status";
  if (kind === "opened") loadCamera();
  wanted = Math.max(wanted, id);
  if (id > (store.table?.event ?? 0)) reload();
  else if (viewed && !loading) loadObservation(true); // the table came with the answer to a change
}

/** Loads the table anew, until it is as new as the newest event that was heard: first what everybody waits
 * for, the position and its moves, then what was read. Without a move the moves stay what they are. */
async function reload() {
  if (loading || !store.table) return;
  loading = true;
  try {
    do {
      const id = store.route.table;
      const moves = moved || !store.moves ? movesNow() : null;
      moved = false;
      moves?.catch(() => {}); // complained of below
      const table = await get(path());
      if (store.route.table === id && store.table) accept(table);
      if (moves || !store.moves) await acceptMoves(moves ?? movesNow(), id);
      if (viewed) await loadObservation(true);
      if (store.player) set({ player: await get(path("/player")) });
    } while (store.table && store.table.event < wanted);
  } catch (error) {
    if (error.message === "offline") lost(reload);
    else complain(error);
  } finally {
    loading = false;
  }
  if (viewed) loadObservation(true); // a picture that came while the last table was on its way
}

/** Shows a table; its moves come a moment later. */
function accept(table) {
  if (table.event < store.table.event) return;
  const moved = table.entries.length !== store.table.entries.length, ends = table.moment.is_over && !store.table.moment.is_over;
  if (moved) set({ moves: null, chosen: {}, group: null, shown: null, field: null, message: null });
  set({ table, ...(store.at === null ? { moment: table.moment } : {}) });
  if (ends) loadPast().catch(complain);
}

/** The moves of the table that is shown; asked for again when the table has gone on meanwhile. */
async function acceptMoves(coming, id = store.route.table) {
  let moves = await coming;
  const isShown = () => store.route.table === id && store.table;
  while (isShown() && moves.event < store.table.event) moves = await movesNow();
  if (isShown()) set({ moves });
}

async function loadObservation(fresh = false) {
  viewed = false;
  if (!store.table || store.route.view === "hand") return;
  if (!store.table.view && !store.observation && !fresh) return; // no picture has been taken
  try {
    set({ observation: await get(path("/observation")) });
  } catch {
    set({ observation: null });
  }
  loadHealth();
}

/** How well the camera sees the table: asked for a moment after the picture, not by all browsers at once. */
function loadHealth() {
  const id = store.route.table;
  clearTimeout(asking);
  asking = setTimeout(async () => {
    if (store.route.table !== id || !store.table?.view?.picture) return;
    const health = await get(path("/health")).catch(() => null);
    if (store.route.table === id && store.table) set({ health });
  }, 200 + Math.random() * 1000);
}

/** Looks at the moment after entry `number`; at the last one that is now. */
export async function lookAt(number) {
  const last = store.table.entries.length;
  if (number === null || number >= last) return set({ at: null, moment: store.table.moment, playing: false });
  const at = Math.max(0, number);
  set({ at });
  try {
    const moment = await get(path(`/moments/${at}`));
    if (store.at === at) set({ moment });
  } catch (error) {
    if (store.at !== at) return; // somebody looks elsewhere meanwhile
    const shown = store.moment.number; // still on the board
    set({ at: shown < store.table.entries.length ? shown : null });
    complain(error);
  }
}

export function complain(error) {
  if (error.message === "offline") {
    set({ message: { silence: true, bad: true } });
    lost();
  } else set({ message: { text: error.reason ?? error.message, bad: true } });
  if (error.status === 403 && store.seats) askForPin().catch(complain);
}

/** Do something with a module of the page that is loaded when it is first wanted, and say so if it cannot be. */
export async function using(name, act) {
  try {
    await act(await load(name));
  } catch (error) { complain(error); }
}

/** On the page of a hand: a server that was started anew knows its PIN no more. */
async function askForPin() {
  set({ seats: await get(path("/seats")), hand: null });
}

async function change(method, rest, body) {
  if (store.me?.may === "look") return complain(new Error(word("may.look")));
  try {
    const table = await send(method, path(rest), body);
    if (store.at !== null) set({ at: null, moment: table.moment });
    accept(table);
    await acceptMoves(movesNow());
    return table;
  } catch (error) {
    complain(error);
    return null;
  }
}

/** One after the other: who presses twice means the move before the last, two who press once the last alone. */
let turns = Promise.resolve();
const inTurn = (act) => (turns = turns.then(() => store.table && act()));

export const play = (text) => change("POST", "/moves", { text });
export const draw = () => change("POST", "/draw");
export const undo = () => inTurn(() => change("POST", "/undo", { entries: store.table.entries.length }));
export const redo = () => inTurn(() => change("POST", "/redo", { entries: store.table.entries.length }));
/** With the words that were read: meanwhile the question may be another one. */
export const answer = (number, text) => change("POST", "/answers", { number, text: text.en });
export const correct = (place, thing, insteadOf = null) => change("POST", "/corrections", { place, thing, instead_of: insteadOf });
export const teach = () => change("POST", "/lessons");
export const allow = () => change("POST", "/agreements");
export const note = (text) => change("POST", "/notes", { text });
export const shelve = (away) => change("PUT", "/shelf", { away });
/** What a move would change on the board; asked for when there are too many moves to tell it with each. */
export async function changeOf(move) {
  if (move.change === undefined) move.change = (await check(move.text).catch(() => null))?.change ?? null;
  return move.change;
}

export const check = (text) => get(path(`/moves/check?text=${encodeURIComponent(text)}`));

/** A photograph from this device, read and judged like a camera's picture. */
export async function sendPhoto(file) {
  if (!file) return;
  set({ message: { text: word("photo.reading") } });
  try {
    const table = await sendFile(path("/photos"), file);
    set({ message: null });
    accept(table);
    await Promise.all([acceptMoves(movesNow()), loadObservation(true)]);
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

/** Whether there is a camera picture with its reading, to look at beside the board. */
export const hasPicture = () => Boolean(store.table?.view?.picture && store.observation);

/** The picture that lies on the drawn board millimetre by millimetre; null without one, and in the past. */
export const straightAddress = () => (hasPicture() && store.at === null ? pictureAddress(`/picture/straight?n=${store.table.view.number}`) : null);

/** Board and picture change places. */
export function swap() {
  if (hasPicture()) set({ main: store.main === "board" ? "photo" : "board" });
}
