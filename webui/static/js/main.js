// The start of the page: settings, keys, routes; draws whatever the address asks for.

import { get, send } from "./api.js";
import { load, lost } from "./connection.js";
import { h, show } from "./dom.js";
import { arrive, go, onRoute } from "./route.js";
import { recall, set, store, subscribe } from "./store.js";
import { answer, closeTable, complain, lookAt, openTable, redo, swap, undo, using } from "./table.js";
import { player, said, sentence, word } from "./words.js";
import { bar, toggleHelp, toggleLarge, toggleTheme } from "./views/bar.js";
import { isWhole, leaveTable, tableView } from "./views/table.js";

const main = document.getElementById("main"), top_ = document.getElementById("bar"), live = document.getElementById("live");
let told = null;
let drawView = tableView;

function draw() {
  const root = document.documentElement;
  root.lang = store.language;
  root.dataset.theme = store.theme;
  root.classList.toggle("large", store.large);
  document.title = store.table ? `${said(store.table.title)} · Henge` : "Henge";
  show(top_, bar());
  const rare = RARE[store.route.view];
  drawView = rare ? rare.draw ?? drawView : tableView; // the last one stays until the module of the next has come
  drawView(main);
  tell();
  window.henge = { entries: store.table?.entries.length ?? 0, event: store.table?.event ?? 0, ready: Boolean(store.moves) && (store.route.view !== "table" || isWhole()), arrived: store.arrived === store.route }; // what is on the screen now, for measuring
}

/** The last thing that happened, for those who listen: in the live region and, if wanted, aloud. */
function tell() {
  const { table } = store;
  if (!table || store.route.view !== "table") { told = null; return; }
  const entry = table.entries.at(-1);
  const words = [entry ? `${entry.kind === "move" && entry.mover ? `${player(entry.mover)}: ` : ""}${said(entry.words)}` : "", table.status.name === "in_step" ? sentence(table.moment.prompt) : sentence(table.status.message)].filter(Boolean).join(". ");
  const key = `${table.id} ${table.entries.length} ${table.status.name} ${said(table.status.message)}`;
  if (told === key) return;
  const first = told === null;
  told = key;
  if (first) return;
  live.append(h("p", {}, words));
  while (live.childElementCount > 5) live.firstElementChild.remove();
  if (store.voice && "speechSynthesis" in window) {
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = store.language;
    speechSynthesis.speak(spoken);
  }
}

// Everything but a table: modules that are loaded when somebody goes there.
const HALL = { from: "./views/hall.js", name: "hallView", load: "watchHall" };
const RARE = {
  hall: HALL,
  shelf: HALL,
  hand: { from: "./views/hand.js", name: "handView" },
  pair: { from: "./views/phones.js", name: "pairView" },
  phones: { from: "./views/phones.js", name: "phonesView", load: "loadPhones" },
  new: { from: "./views/new.js", name: "newView", load: "loadGames" },
};

async function openRare(rare) {
  const module = await load(rare.from);
  rare.draw = module[rare.name];
  set({});
  await module[rare.load]?.();
}

async function follow(route) {
  const isTable = route.view === "table" || route.view === "hand";
  try {
    if (route.view !== "table") leaveTable();
    closeTable(); // at once: on the screen it would still take what is typed
    if (RARE[route.view]) await openRare(RARE[route.view]);
    if (isTable) await openTable(route.at);
    if (route.view === "pair") await comeIn(route.code);
    set({ arrived: route });
  } catch (error) {
    if (store.route !== route) return;
    if (error.status === 401) return go("/pair");
    if (error.status === 404) go("/");
    complain(error);
    if (error.message === "offline") lost(() => store.route === route && follow(route));
  }
}

/** A device that came with a code is let in, and goes on to the tables. */
export async function comeIn(code) {
  if (!code) return;
  set({ me: await send("POST", "/pairing", { code }) });
  history.replaceState(null, "", "/");
  arrive();
}

const story = (act) => () => using("./views/story.js", act);

const KEYS = {
  ArrowLeft: story(({ step }) => step(-1)), ArrowRight: story(({ step }) => step(1)), " ": story(({ togglePlay }) => togglePlay()), n: () => lookAt(null),
  u: undo, r: redo, c: swap, "?": toggleHelp, 1: () => reply(0), 2: () => reply(1), 3: () => reply(2),
  Escape: () => set({ field: null, chosen: {}, shown: null, help: false, sheet: false, message: null }),
};
const KEYS_ANYWHERE = { l: toggleLarge, d: toggleTheme };

function reply(number) {
  const { status } = store.table;
  if (status.name === "asking" && number < status.answers.length) answer(number, status.answers[number].text);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target.matches("input[type=text], input[type=search], textarea, select") && event.key !== "Escape") return;
  if (event.key === " " && target.matches("button, summary, a, input")) return;
  if (event.key.startsWith("Arrow") && target.matches("input")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const act = (store.table && store.route.view === "table" && KEYS[key]) ?? KEYS_ANYWHERE[key];
  if (!act) return;
  event.preventDefault();
  act();
});

document.addEventListener("click", (event) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
Object.assign(store, {
  language: recall("language", navigator.language.startsWith("de") ? "de" : "en"),
  theme: recall("theme", dark ? "dark" : "light"), large: recall("large", false), voice: recall("voice", false),
});
subscribe(draw);
onRoute(follow);
get("/me").then((me) => set({ me })).catch(complain);
arrive();
