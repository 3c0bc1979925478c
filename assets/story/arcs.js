import { over, thickness } from "../shared/links.js";
import { shape, text } from "../shared/svg.js";
import { plain } from "../microscope/engine/numbers.js";
import { isAsked } from "./figures.js";
import { QUERY, queryRow, wordOf } from "./query_row.js";

const WIDTH = 480,
  HEIGHT = 170,
  LINE = 128, // where the words stand
  FOOT = LINE - 26,
  RISE = 60,
  BESIDE = 24, // a line begins beside the word that asks, and a loop above it
  LOOP = /** @type {[number, number, number]} */ ([14, 58, 108]),
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
  const shares = names.map((name, word) => `${name} ${plain(weights[word])}`).join(", ");
  svg.setAttribute("aria-label", asked ? words.labels.arcs : `${words.labels.arcs}: ${shares}`);
  /** @param {number} word */
  const at = (word) => (WIDTH * (word + 0.5)) / weights.length;
  weights.forEach((weight, word) => {
    const d = over(at(QUERY) + BESIDE * Math.sign(word - QUERY), at(word), FOOT, RISE, LOOP);
    if (!asked) svg.append(shape("path", { d, "stroke-width": thickness(weight, THICKEST, 1) }));
  });
  weights.forEach((weight, word) => {
    const asks = word === QUERY;
    svg.append(text(at(word), LINE, names[word], asks ? "word query" : "word key"));
    svg.append(text(at(word), LINE + 28, words.labels.gloss[word], "gloss"));
    const x = asks ? at(word) : (at(QUERY) + at(word)) / 2;
    svg.append(text(x, asks ? 18 : 40, asked ? "?" : plain(weight), "share"));
  });
  return svg;
}
