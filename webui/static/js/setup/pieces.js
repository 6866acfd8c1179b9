// The pieces that were shown, numbered on their picture; a person can say what one of them really is.

import { h, s } from "../dom.js";
import { send } from "./api.js";
import { frame } from "./frame.js";
import { liveView, pictureButtons } from "./live.js";
import { thing } from "../words.js";
import { draw, here, next, sayStep, w, work } from "./state.js";

export function piecesView() {
  const { draft } = here;
  return [
    h("p", {}, w("pieces.how")),
    liveView(),
    pictureButtons(w("pieces.take"), "pieces"),
    draft?.shown.length ? shown(draft) : null,
    sayStep("pieces"),
    next("done"),
  ];
}

function shown(draft) {
  const marks = draft.shown.map((each, n) => ({ at: each.at_px, text: String(n + 1) }));
  return [
    draft.shown_px ? frame(`/setup/api/pieces.jpg?v=${draft.pictures}`, draft.shown_px, { outlines: {}, corners: [], handles: [], marks }) : null,
    h("p", { class: "quiet small" }, w("pieces.right")),
    h("ol", { class: "chips" }, draft.shown.map((each, n) => h("li", { class: "chip" },
      h("span", { class: "number" }, n + 1),
      s("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("circle", { cx: 5, cy: 5, r: 4.6, fill: `rgb(${each.rgb.join(",")})`, stroke: "#777", "stroke-width": 0.5 })),
      h("select", { "aria-label": w("pieces.is", n + 1), "data-key": `piece-${n}`, disabled: Boolean(here.busy), onchange: (event) => say(n, event.target.value) },
        Object.entries(draft.pieces).flatMap(([kind, colours]) => colours.map((colour) => h("option", { value: `${kind} ${colour}`, selected: kind === each.kind && colour === each.colour }, thing({ kind, colour, count: 1 })))),
        h("option", { value: "" }, w("pieces.none")))))),
  ];
}

function say(number, words) {
  const [kind, colour] = words ? words.split(" ") : [null, null];
  work(w("pieces.say"), () => send("POST", "/pieces/say", { number, kind, colour })).then(draw);
}
