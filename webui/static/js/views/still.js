// A small board that only shows: what lies there, or what would change in one part of it.

import { fieldsOf, placeName } from "../board/geometry.js";
import { BoardView } from "../board/view.js";
import { store } from "../store.js";

/** A board with these pieces, to look at. */
export function stillBoard(board, pieces) {
  const view = new BoardView(board, { describe: () => "" });
  view.element.setAttribute("aria-hidden", "true");
  view.layers.touch.remove();
  view.setPrint(store.theme === "dark", null, 0);
  view.setPieces(pieces, store.language);
  return view;
}

const AROUND_MM = 24; // so much of the board is seen around the fields concerned
const LEAST_MM = 84;

/** What a change does to the board that is shown, cut out around the fields that `changes` concern. */
export function difference(change, changes) {
  const view = stillBoard(store.board, store.moment.position.pieces);
  view.setPreview(change, store.language);
  const spots = changes.flatMap((each) => [...each.come, ...each.gone]).flatMap((piece) => fieldsOf(placeName(piece))).map((id) => store.board.fields.get(id)?.centre).filter(Boolean);
  if (spots.length) view.element.setAttribute("viewBox", frame(spots).join(" "));
  return view.element;
}

/** A square around points, in millimetres: left, top, width, height. */
function frame(spots) {
  const [xs, ys] = [0, 1].map((i) => spots.map((spot) => spot[i]));
  const middle = (all) => (Math.min(...all) + Math.max(...all)) / 2, span = (all) => Math.max(...all) - Math.min(...all);
  const side = Math.max(LEAST_MM, Math.max(span(xs), span(ys)) + 2 * AROUND_MM);
  return [middle(xs) - side / 2, middle(ys) - side / 2, side, side];
}
