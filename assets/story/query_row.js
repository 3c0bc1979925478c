import { figureOf } from "./figures.js";
import { plain } from "../microscope/engine/numbers.js";
import { range, softmax } from "../microscope/engine/rules.js";

export const QUERY = 1; // 爱, the word that asks

/**
 * The numbers of the word that asks: of the trace, or what follows where the reader moved one of them.
 * @param {Story} story @param {number} head
 * @returns {QueryRow}
 */
export function queryRow(story, head) {
  const { trace, Q: turned, score } = story,
    words = [...range(trace.size("K", "key"))],
    positions = [...range(trace.size("K", "d_k"))];
  /** @param {string} key @param {number[]} index */
  const value = (key, ...index) => trace.value(key, [0, head, ...index]);
  const Q = turned ?? positions.map((d) => value("Q", QUERY, d)),
    K = words.map((word) => positions.map((d) => value("K", word, d))),
    values = words.map((word) => value("V", word, 0));
  const scores = turned ? K.map((k) => dot(Q, k)) : words.map((word) => value("scores", QUERY, word));
  if (score !== null) scores[0] = score;
  const isGiven = !turned && score === null;
  if (figureOf(story).even) {
    const weights = words.map(() => 1 / words.length);
    return { Q, K, values, scores, weights, output: dot(weights, values), isGiven: false };
  }
  const weights = isGiven
    ? words.map((word) => value("weights", QUERY, word))
    : [...softmax(Float64Array.from(scores)).weights];
  const output = isGiven ? value("head_output", QUERY, 0) : dot(weights, values);
  return { Q, K, values, scores, weights, output, isGiven };
}

/** @param {number[]} one @param {number[]} other */
const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);

/**
 * The name of a word.
 * @param {Story} story @param {number} word
 */
export const wordOf = ({ trace }, word) => trace.label("K", trace.stage("K").roles.indexOf("key"), word);

/**
 * A small number without zeros behind the point.
 * @param {number} value
 */
export const bare = (value) => plain(value, Number.isInteger(value) ? 0 : 1);
