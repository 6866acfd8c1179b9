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

/** Fields as people say them: "space-G" is "space G", "ring-4+ring-5" "ring 4 + ring 5"; "7-night" stays. */
const spoken = (text) => text.replace(/(\p{L}{3,})-(?=\d|[A-R]\b)/gu, "$1 ").replace(/(\w)\+(?=\w)/g, "$1 + ");

/** A sentence of the engine as a sentence of its own: with a capital letter. */
export function sentence(text) {
  const words = said(text);
  return words.charAt(0).toLocaleUpperCase(store.language) + words.slice(1);
}

const TOKENS = {
  en: { ring: "Ring", slot: "Slot", trilith: "Trilith", bluestone: "Bluestone", yard: "Yard", line: "Line", space: "Space", altar: "Altar", pit: "Pit" },
  de: {
    ring: "Ring", slot: "Platz", trilith: "Trilith", bluestone: "Blaustein", yard: "Bauhof", line: "Linie", space: "Feld", altar: "Altar", pit: "Mulde",
    white: "weiß", blue: "blau", green: "grün", yellow: "gelb", red: "rot", grey: "grau", black: "schwarz", brown: "braun", chance: "Zufall",
    day: "Tag", night: "Nacht", supply: "Vorrat", pile: "Stapel", display: "Auslage", disc: "Scheibe", block: "Block", figure: "Figur", pillar: "Säule", capstone: "Deckstein",
    druid: "Druidenstein", megalith: "Megalith", card: "Karte", clockwise: "rechtsherum", anticlockwise: "linksherum",
  },
};

/** A field, card or colour as people say it: "ring-7" is "Ring 7", "7-day" stays "7 day". */
export function token(text) {
  const book = TOKENS[store.language];
  return String(text).replace("^", "").split("+").map((part) => part.split("-").map((bit) => book[bit] ?? TOKENS.en[bit] ?? bit).join(" ")).join(" + ");
}

/** A player's colour as a name. */
export function player(colour) {
  const name = colour === "chance" ? word("turn.chance") : TOKENS[store.language][colour] ?? colour ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A piece in words: "red block", "black druid 4". */
export function thing(piece) {
  if (!piece) return word("field.nothing");
  if (piece.words) return said(piece.words);
  const book = TOKENS[store.language];
  const say = (bit) => book[bit] ?? bit;
  if (piece.kind === "card") return `${piece.number ? `${piece.number} ${say(piece.phase)} ` : ""}${say("card")}`;
  const parts = [say(piece.colour), say(piece.kind)];
  if (piece.kind === "druid") parts.push(piece.value ?? "?");
  if (piece.count !== undefined && piece.count !== 1) parts.push(`×${piece.count ?? "?"}`);
  return parts.filter(Boolean).join(" ");
}

/** A time of day, as this language writes it. */
export function time(iso) {
  if (!iso) return "";
  return new Date(iso).toLocaleTimeString(store.language, { hour: "2-digit", minute: "2-digit" });
}

export function date(iso) {
  return iso ? new Date(iso).toLocaleDateString(store.language, { day: "numeric", month: "long", year: "numeric" }) : "";
}
