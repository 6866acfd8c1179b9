// The table's colours. Each also has a letter and an outline pattern, so that nobody needs the hue.

const ORDINARY = {
  white: [241, 240, 234], blue: [38, 84, 158], green: [52, 122, 66], yellow: [236, 190, 48],
  red: [186, 44, 38], grey: [134, 134, 130], black: [38, 37, 38], brown: [122, 80, 50],
};
const LETTERS = {
  en: { white: "W", blue: "B", green: "G", yellow: "Y", red: "R", grey: "", black: "K", brown: "N" },
  de: { white: "W", blue: "B", green: "G", yellow: "L", red: "R", grey: "", black: "S", brown: "N" },
};
/** The dash pattern of a colour's inner ring. */
export const PATTERNS = {
  white: null, blue: "5 1.6", green: "2.4 1.4", yellow: "0.1 1.7", red: "6 1.2 0.1 1.2", grey: "1 1", black: null, brown: "2 1.5",
};

const mix = (a, b, share) => a.map((v, i) => Math.round(v + (b[i] - v) * share));
const css = (rgb) => `rgb(${rgb.join(" ")})`;

/** Paints for one colour of piece: its lit top, its face, its shaded side, its edge and the mark upon it. */
export function paints(board, colour) {
  const rgb = board.palette?.[colour] ?? ORDINARY[colour] ?? ORDINARY.grey;
  const light = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
  return {
    top: css(mix(rgb, [255, 252, 240], light < 90 ? 0.12 : 0.1)),
    face: css(mix(rgb, [20, 22, 28], 0.08)),
    side: css(mix(rgb, [16, 18, 26], light > 200 ? 0.24 : 0.36)),
    edge: css(mix(rgb, [12, 14, 20], light > 200 ? 0.5 : 0.62)),
    gleam: css(mix(rgb, [255, 255, 255], 0.45)),
    mark: light > 135 ? "#1d2430" : "#fbf8f0",
  };
}

export const letterOf = (colour, language) => (LETTERS[language] ?? LETTERS.en)[colour] ?? "";
