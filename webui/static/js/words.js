// Words in the language that is set, without a reload.

import { store } from "./store.js";
import de from "./words/de.js";
import en from "./words/en.js";

const BOOKS = { en, de };

/** The page's word for `key`; counted and composed words take their values. */
export function word(key, ...values) {
  const found = BOOKS[store.language][key] ?? BOOKS.en[key] ?? key;
  return typeof found === "function" ? found(...values) : found;
}

export const has = (key) => key in BOOKS.en;

/** A sentence of the engine, {en, de}; plain strings are what people wrote. */
export const said = (text) => spoken(written(text));

/** The same as it is typed: "space-G". */
export const written = (text) => (typeof text === "string" ? text : text?.[store.language] ?? text?.en ?? "");

/** Fields and pieces as people say them: "space-G" is "space G", "ring-4+ring-5" "ring 4 + ring 5",
 * "white-disc" "white disc" and "mit Weiß-Scheibe" "mit weißer Scheibe"; "7-night" stays, on one line. */
const spoken = (text) => pieces(text).replace(/(\d)-(?=(?:day|night|Tag|Nacht)\b)/g, "$1\u2011").replace(/(\p{L}{3,})-(?=\d|[A-R]\b)/gu, "$1 ").replace(/\b(trilith)-(?=\p{L})(?!Karte)/giu, "$1 ").replace(/(\w)\+(?=\w)/g, "$1 + ");

function pieces(text) {
  if (store.language !== "de") return text.replace(/\b(white|blue|green|yellow|red|grey|black|brown)-(?=disc|figure|block)/g, "$1 ");
  return text.replace(/(mit )?(?<!\p{L})(Weiß|Blau|Grün|Gelb|Rot|Grau|Schwarz|Braun)-(Scheibe|Figur|Block)/gu, (_, by, colour, noun) => {
    const ending = noun === "Block" ? (by ? "em" : "en") : by ? "er" : "e";
    return `${by ?? ""}${colour.toLowerCase()}${ending} ${noun}`;
  });
}

/** A sentence of the engine as a sentence of its own: with a capital letter. */
export function sentence(text) {
  const words = said(text);
  return words.charAt(0).toLocaleUpperCase(store.language) + words.slice(1);
}

const TOKENS = {
  en: { ring: "Ring", slot: "Slot", trilith: "Trilith", bluestone: "Bluestone", yard: "Yard", line: "Line", space: "Space", altar: "Altar", pit: "Pit" },
  de: {
    ring: "Ring", slot: "Platz", trilith: "Trilith", bluestone: "Blaustein", yard: "Bauhof", line: "Linie", space: "Feld", altar: "Altar", pit: "Mulde",
    white: "Weiß", blue: "Blau", green: "Grün", yellow: "Gelb", red: "Rot", grey: "Grau", black: "Schwarz", brown: "Braun", chance: "Zufall",
    day: "Tag", night: "Nacht", supply: "Vorrat", pile: "Stapel", display: "Auslage", disc: "Scheibe", block: "Block", figure: "Figur", pillar: "Säule", capstone: "Deckstein",
    druid: "Druidenstein", megalith: "Megalith", card: "Karte", clockwise: "rechtsherum", anticlockwise: "linksherum",
  },
};

/** A field, card or colour as people say it: "ring-7" is "Ring 7", "7-day" stays "7 day". */
export function token(text) {
  const book = TOKENS[store.language];
  return String(text).replace("^", "").split("+").map((part) => {
    const [colour, kind, ...more] = part.split("-");
    if (kind in MANY && !more.length) return pieceWords(kind, [colour]);
    return part.split("-").map((bit) => book[bit] ?? TOKENS.en[bit] ?? bit).join(" ");
  }).join(" + ");
}

/** A player's colour as a name. */
export function player(colour) {
  const name = colour === "chance" ? word("turn.chance") : TOKENS[store.language][colour] ?? colour ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A piece in words, as the engine says it (engine/words.py): "red block", "black druid 4", "3 blue blocks". */
export function thing(piece) {
  if (!piece) return word("field.nothing");
  if (piece.words) return said(piece.words);
  const german = store.language === "de";
  if (piece.kind === "card") {
    if (!piece.number && !piece.colour) return pieceWords("card", ["face-down"], piece.count);
    const name = token(piece.number ? `${piece.number}-${piece.phase}` : `trilith-${piece.colour}`);
    return german ? `Karte ${name}` : `${name} card`;
  }
  const words = [pieceWords(piece.kind, [piece.lying ? "lying" : null, piece.colour].filter(Boolean), piece.count)];
  if (piece.kind === "druid") words.push(piece.value ?? (german ? "verdeckt" : "face down"));
  if (piece.facing) words.push(token(piece.facing));
  return words.join(" ");
}

// German plural and gender of the pieces.
const MANY = { disc: ["Scheiben", "f"], block: ["Blöcke", "m"], figure: ["Figuren", "f"], trilith: ["Trilithen", "m"], pillar: ["Säulen", "f"], capstone: ["Decksteine", "m"], druid: ["Druidensteine", "m"], megalith: ["Megalithen", "m"], card: ["Karten", "f"] };

function pieceWords(kind, properties, count = 1) {
  const book = TOKENS[store.language], german = store.language === "de";
  const heap = count === 1 ? [] : [count ?? (german ? "mehrere" : "several")];
  if (!german) return [...heap, ...properties, heap.length ? `${kind}s` : kind].join(" ");
  const [plural, gender] = MANY[kind];
  const ending = heap.length || gender === "f" ? "e" : "er";
  const say = (each) => ({ "face-down": "verdeckt", lying: "liegend" })[each] ?? book[each]?.toLowerCase();
  return [...heap, ...properties.map((each) => (say(each) ? say(each) + ending : each)), heap.length ? plural : book[kind]].join(" ");
}

/** A time of day, as this language writes it. */
export function time(iso) {
  if (!iso) return "";
  return new Date(iso).toLocaleTimeString(store.language, { hour: "2-digit", minute: "2-digit" });
}

/** Day and time, as short as they can be said. */
export function shortly(iso) {
  return new Date(iso).toLocaleString(store.language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).replaceAll(/[ \u202f](?=[AP]M)/g, "\u00a0");
}

export function date(iso) {
  return iso ? new Date(iso).toLocaleDateString(store.language, { day: "numeric", month: "short", year: "numeric" }) : "";
}
