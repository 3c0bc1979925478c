import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { bracketed, equals } from "./explanation.js";
import { bare, namesOf, queryRow } from "./query_row.js";

const WIDTH = 420,
  HEIGHT = 270,
  UNIT = 76, // pixels of one
  GAP = WIDTH / 2,
  CENTRE = 124;

/**
 * A score as areas: number by number, the question's is the width and the label's the height of a rectangle.
 *
 * A rectangle counts against the score where the two have different signs.
 * @param {Story} story
 */
export function products(story) {
  const { labels, query } = story.words,
    { Q, K, scores } = queryRow(story, 0),
    { word } = story,
    names = namesOf(story),
    svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "products" });
  svg.setAttribute(
    "aria-label",
    filled(labels.areas, { asks: names[query], word: names[word], score: plain(scores[word]) }),
  );
  Q.forEach((q, d) => {
    const k = K[word][d],
      [width, height] = [Math.max(3, UNIT * Math.abs(q)), Math.max(3, UNIT * Math.abs(k))],
      middle = GAP * (d + 0.5) + 12,
      [left, top] = [middle - width / 2, CENTRE - height / 2];
    const sign = q * k < 0 ? "negative" : "positive";
    svg.append(
      shape("rect", { x: left, y: top, width, height, class: sign }),
      shape("path", { d: `M${left} ${top - 8}h${width}`, class: "side query" }),
      text(middle, top - 22, bare(q), "query side-name"),
      shape("path", { d: `M${left - 8} ${top}v${height}`, class: "side key" }),
      text(left - 16, CENTRE, bare(k), "key side-name", "end"),
      text(middle, HEIGHT - 14, `${bare(q)} · ${bracketed(k)} ${equals(q * k, q * k)}`, "axis product-name"),
    );
  });
  svg.append(text(WIDTH / 2 + 12, HEIGHT - 44, "+", "plus"));
  return svg;
}
