// Whether the server answers. Once it does not, it is asked until it does; then goes on what had to wait.

import { get, Refused } from "./api.js";
import { set, store } from "./store.js";

const ASK_AGAIN_MS = 2000;
const waiting = new Set();
let clock = null;

/** A request found nobody; `again` is called when the server answers once more. */
export function lost(again = null) {
  if (again) waiting.add(again);
  set({ connected: false });
  clock ??= setTimeout(ask, ASK_AGAIN_MS);
}

/** Somebody answers: what was said of the silence is over, what was said of other things is not. */
export function found() {
  clearTimeout(clock);
  clock = null;
  set({ connected: true, ...(store.message?.silence ? { message: null } : {}) });
  const due = [...waiting];
  waiting.clear();
  for (const again of due) again();
}

const loaded = {}; // address: module

/** A module of the page, by its address from here. A browser never asks again for a module that it missed once: so
 * the server is asked first whether it is there. What is missed all the same comes with the whole page, anew. */
export async function load(name) {
  if (loaded[name]) return loaded[name];
  const { route } = store;
  await fetch(new URL(name, import.meta.url), { method: "HEAD" }).catch(() => { throw new Refused("offline"); });
  return loaded[name] = await import(name).catch(() => {
    lost(() => store.route === route && location.reload());
    throw new Refused("offline");
  });
}

/** A server that was started anew may know this browser no more: so that is what it is asked. */
async function ask() {
  clock = null;
  try {
    set({ me: await get("/me") });
  } catch (error) {
    if (error.message === "offline") return lost();
  }
  found();
}
