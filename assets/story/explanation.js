import { filled } from "../microscope/engine/names.js";
import { digitsThatAddUp, plain } from "../microscope/engine/numbers.js";
import { bare, dot, namesOf, queryRow, sentenceOf, startOf } from "./query_row.js";

/**
 * Where the opened number comes from: what it is, and its sum as one line.
 * @param {Story} story
 * @returns {[what: string, sum: string]}
 */
export function explanation(story) {
  const { labels, query } = story.words,
    { of, head, word, d } = /** @type {OpenedNumber} */ (story.opened),
    names = namesOf(story),
    row = queryRow(story, head);
  const what = filled(labels[`what_${of}`], { word: names[word], asks: names[query], d: d + 1 });
  return [what, SUMS[of](story, row, head, word, d)];
}

/** @type {Record<OpenedNumber["of"], (story: Story, row: QueryRow, head: number, word: number, d: number) => string>} */
const SUMS = {
  Q: (story, row, head, _, d) =>
    story.Q ? filled(story.words.labels.turned, {}) : projected(story, "W_Q", head, story.words.query, d, row.Q[d]),
  K: (story, row, head, word, d) => projected(story, "W_K", head, word, d, row.K[word][d]),
  V: (story, row, head, word, d) => projected(story, "W_V", head, word, d, row.V[word][d]),
  score: (story, { Q, K, scores }, _, word) =>
    story.score !== null && word === story.word
      ? story.words.labels.slid
      : `${Q.map((q, d) => `${bare(q)}·${bracketed(K[word][d])}`).join(" + ")} ${equals(scores[word])}`,
  weight: (story, { scores, weights }, _, word) => {
    if (story.split !== null) return story.words.labels.slid;
    const powers = scores.map(Math.exp),
      total = powers.reduce((sum, power) => sum + power),
      digits = Math.min(digitsThatAddUp(powers, total) ?? 2, 3);
    const sum = powers.map((power) => plain(power, digits)).join(" + ");
    const power = plain(powers[word], digits);
    return `e^${bare(scores[word])} = ${power};  ${power} / (${sum}) ≈ ${plain(weights[word])}`;
  },
  product: (_, { weights, V }, __, word, d) =>
    `${plain(weights[word])} · ${bracketed(V[word][d])} ≈ ${plain(weights[word] * V[word][d])}`,
  mixed: (story, { weights, V, mixed }, _, __, d) => {
    const terms = weights.map((weight, word) => weight * V[word][d]),
      digits = Math.min(digitsThatAddUp(terms, mixed[d]) ?? 2, 4),
      sum = terms.map((term) => `${term < 0 ? "(" : ""}${plain(term, digits)}${term < 0 ? ")" : ""}`).join(" + ");
    const start = startOf(story)[d],
      end = filled(story.words.labels.from_start, {
        start: bare(start),
        mixed: plain(mixed[d]),
        end: plain(start + mixed[d]),
      });
    return `${sum} = ${plain(mixed[d], digits)}.  ${end}`;
  },
};

/**
 * @param {Story} story @param {"W_Q" | "W_K" | "W_V"} name @param {number} head @param {number} word @param {number} d
 * @param {number} value
 */
function projected(story, name, head, word, d, value) {
  const x = sentenceOf(story).X[word],
    column = story.words.steps[story.step][name][head].map((row) => row[d]);
  const sum = x.map((part, i) => `${bare(part)}·${bracketed(column[i])}`).join(" + ");
  return `${sum} ${equals(value, dot(x, column))}`;
}

/** @param {number} value */
const bracketed = (value) => (value < 0 ? `(${bare(value)})` : bare(value));

/** The sign of equality that holds for what is printed. @param {number} value @param {number} [exact] */
const equals = (value, exact = value) => `${Math.round(100 * exact) === 100 * exact ? "=" : "≈"} ${bare(value)}`;
