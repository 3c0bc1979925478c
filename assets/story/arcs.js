import { over, thickness } from "../shared/links.js";
import { shape, text } from "../shared/svg.js";

const WORD = 88,
  TOP = 14,
  HEIGHT = 126,
  BELOW = 18, // from one printed line to the next
  FEW = 7, // words, more of which scroll on a narrow screen
  NARROW = 56, // pixels of one
  LINE = 100, // where the words stand
  FOOT = LINE - 20,
  RISE = 64,
  LOOP = /** @type {[number, number, number]} */ ([10, 38, 74]),
  THICKEST = 16;

/**
 * A sentence, and an arc from the word that asks to each other, as thick as its share.
 *
 * shares: of each head. printed: under each word a line of each head, none where it is masked.
 * @param {{
 *   names: string[], query: number, shares: number[][], printed: string[][], label: string,
 *   onChoose?: (word: number) => void, chosen?: number,
 * }} given
 */
export function arcs({ names, query, shares, printed, label, onChoose, chosen }) {
  const width = WORD * names.length,
    height = HEIGHT + BELOW * (shares.length - 1),
    svg = shape("svg", { viewBox: `0 ${TOP} ${width} ${height}`, role: "img", class: "arcs" }),
    read = names.map((name, word) => `${name} ${printed[word].join(" + ")}`).join(", ");
  svg.setAttribute("aria-label", `${label}: ${read}`);
  /** @param {number} word */
  const at = (word) => WORD * (word + 0.5);
  shares.forEach((row, head) =>
    row.forEach((share, word) => {
      if (!printed[word].length) return; // masked
      const width = thickness(share, THICKEST, 0.5),
        d = over(at(query), at(word), FOOT, RISE, LOOP);
      svg.append(shape("path", { d, "stroke-width": width, class: `head-${head}` }));
    }),
  );
  svg.style.minWidth = `${names.length > FEW ? names.length * NARROW : 0}px`;
  names.forEach((name, word) => {
    const role = word === query ? "query" : "key",
      is = word === chosen ? " chosen" : "";
    const element = text(at(word), LINE, name, `word ${role}${is}`);
    if (onChoose) {
      element.classList.add("choice");
      element.addEventListener("click", () => onChoose(word));
    }
    const lines = printed[word].map((line, head) =>
      text(at(word), LINE + 25 + BELOW * head, line, `share head-${head}`),
    );
    svg.append(element, ...lines);
  });
  return svg;
}
