// The address of the page: "/", "/shelf", "/new", "/new?like=ID" for the next of a series, "/phones", "/pair/CODE",
// "/table/ID", "/table/ID?at=12" for one moment, and "/table/ID/hand/red" for the page that is red's alone.

import { set } from "./store.js";

const changed = new Set();

export function readRoute() {
  const hand = /^\/table\/([^/]+)\/hand(?:\/([a-z]+))?$/.exec(location.pathname);
  if (hand) return { view: "hand", table: decodeURIComponent(hand[1]), player: hand[2] ?? null };
  const pair = /^\/pair(?:\/([\w-]+))?$/.exec(location.pathname);
  if (pair) return { view: "pair", code: pair[1] ?? null };
  const table = /^\/table\/([^/]+)$/.exec(location.pathname);
  if (table) return { view: "table", table: decodeURIComponent(table[1]), at: numberOf(new URLSearchParams(location.search).get("at")) };
  if (location.pathname === "/new") return { view: "new", like: new URLSearchParams(location.search).get("like") };
  return { view: { "/shelf": "shelf", "/phones": "phones" }[location.pathname] ?? "hall" };
}

const numberOf = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : null);

/** Goes to an address without loading the page anew; also the click handler of links. */
export function go(target) {
  let address = target;
  if (target instanceof Event) {
    if (target.metaKey || target.ctrlKey || target.shiftKey || target.button > 0) return;
    target.preventDefault();
    address = target.currentTarget.getAttribute("href");
  }
  history.pushState(null, "", address);
  arrive();
}

export function onRoute(listener) { changed.add(listener); }

export function arrive() {
  const route = readRoute();
  set({ route, message: null, sheet: false });
  for (const listener of changed) listener(route);
}

window.addEventListener("popstate", arrive);
