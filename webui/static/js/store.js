// Everything that the page shows is drawn from this one object. `set` changes it; listeners redraw once per frame.

const listeners = new Set();
let due = false;

export const store = {
  route: { view: "hall" },
  arrived: null, // the route of which all has come
  language: "en",
  theme: "light",
  large: false,
  voice: false,
  games: [],
  hall: null,
  table: null, // the snapshot of the table that is shown
  moves: null, // its legal moves
  at: null, // the number of the entry that is looked at; null: now
  moment: null, // the moment that is looked at
  board: null,
  observation: null,
  health: null, // how well the camera sees the table
  camera: null, // whether there is one, and which table it watches
  player: null, // of a recorded table
  me: null, // what this browser may do, and its seats
  seats: null, // of the table, on the page of a hand
  hand: null, // what only its player may know
  series: null, // of games of Stonehenge with the same name and players
  records: null, // of Rolling Rocks
  covered: false, // the hand lies face down
  tab: "moves",
  field: null, // the field that was tapped
  group: null, // the heading of moves that is open, and what was chosen there
  chosen: {},
  shown: null, // the move that a finger's first touch showed on the board
  main: "board", // or "photo": which of the two is large
  fade: 0, // 0 the drawn board, 1 the straightened photograph
  sheet: false, // on a phone: pulled up
  message: null, // {text: {en, de} or string, bad: bool}; {silence: true, bad: true}: the server does not answer
  connected: true,
  playing: false, // the story is being played through
};

export function set(patch) {
  Object.assign(store, patch);
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    for (const listener of listeners) listener(store);
  });
}

export function subscribe(listener) {
  listeners.add(listener);
}

/** Settings of this browser. */
export function remember(key, value) {
  try { localStorage.setItem(`henge.${key}`, JSON.stringify(value)); } catch { /* private windows may refuse */ }
}

export function recall(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(`henge.${key}`)) ?? otherwise; } catch { return otherwise; }
}
