// Whether the server answers. Once it does not, it is asked until it does; then goes on what had to wait.

import { get } from "./api.js";
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
