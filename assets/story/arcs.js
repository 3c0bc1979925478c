import { shape } from "../shared/svg.js";
import { plain } from "../microscope/engine/numbers.js";
import { isAsked } from "./boards.js";
import { QUERY, queryRow, wordOf } from "./query_row.js";

const WIDTH = 480,
  HEIGHT = 170,
  LINE = 128, // where the words stand
  THICKEST = 22;

/**
 * The sentence, and an arc from the word that asks to each, as thick as its share; none while that is asked.
 * @param {Story} story
 */
export function arcs(story) {
  const { words, head } = story,
    { weights } = queryRow(story, head),
    asked = isAsked(story, "share"),
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "arcs" });
  const names = weights.map((_, word) => wordOf(story, word));
  const shares = names.map((name, word) => `${name} ${plain(weights[word], 2)}`).join(", ");
  svg.setAttribute("aria-label", asked ? words.labels.arcs : `${words.labels.arcs}: ${shares}`);
  /** @param {number} word */
  const at = (word) => (WIDTH * (word + 0.5)) / weights.length;
  weights.forEach((weight, word) => {
    if (!asked) svg.append(arc(at(QUERY), at(word), weight));
  });
  weights.forEach((weight, word) => {
    const asks = word === QUERY;
    svg.append(text(at(word), LINE, names[word], asks ? "word query" : "word key"));
    svg.append(text(at(word), LINE + 28, words.labels.gloss[word], "gloss"));
    const x = asks ? at(word) : (at(QUERY) + at(word)) / 2;
    svg.append(text(x, asks ? 18 : 40, asked ? "?" : plain(weight, 2), "share"));
  });
  return svg;
}

/** @param {number} from @param {number} to @param {number} weight */
function arc(from, to, weight) {
  const top = LINE - 26,
    d =
      from === to
        ? `M${from - 14} ${top} C${from - 58} ${-6} ${from + 58} ${-6} ${from + 14} ${top}`
        : `M${from + (to > from ? 24 : -24)} ${top} Q${(from + to) / 2} ${12} ${to} ${top}`;
  return shape("path", { d, "stroke-width": Math.max(1, THICKEST * weight).toFixed(2) });
}

/** @param {number} x @param {number} y @param {string} content @param {string} name */
function text(x, y, content, name) {
  const element = shape("text", { x, y, class: name, "text-anchor": "middle", "dominant-baseline": "central" });
  element.textContent = content;
  return element;
}
