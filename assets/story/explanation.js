import { filled } from "../microscope/engine/names.js";
import { digitsThatAddUp, plain } from "../microscope/engine/numbers.js";
import { bare, CLUE, dot, namesOf, queryRow, sentenceOf, share, startOf } from "./query_row.js";
import { DIGITS as OF_SHARE } from "./table.js";

const DIGITS = 4; // of what a sum is made of: those of every parameter, value and score of the tiny model

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
  V: (story, row, head, word, d) =>
    story.size !== 1 && word === CLUE
      ? story.words.labels.slid
      : projected(story, "W_V", head, word, d, row.V[word][d]),
  score: (story, { Q, K, scores }, _, word) =>
    story.score !== null && word === story.word
      ? story.words.labels.slid
      : `${Q.map((q, d) => `${exact(q)}·${bracketed(K[word][d])}`).join(" + ")} ${equals(scores[word], dot(Q, K[word]))}`,
  weight: (story, { scores, weights }, _, word) => {
    if (story.split !== null) return story.words.labels.slid;
    const powers = scores.map(Math.exp),
      total = added(powers),
      digits = Math.min(digitsThatAddUp(powers, total) ?? 2, 3);
    const sum = powers.map((power) => plain(power, digits)).join(" + "),
      printed = powers.map((power) => rounded(power, digits)),
      power = `e^${exact(scores[word])} ${equals(powers[word], Math.exp(scores[word]), digits)}`,
      quotient = printed[word] / added(printed),
      sign = share(weights[word], 6) === share(quotient, 6) ? "=" : "≈";
    return `${power};  ${plain(powers[word], digits)} / (${sum}) ${sign} ${share(weights[word], OF_SHARE)}`;
  },
  product: (_, { weights, V }, __, word, d) =>
    `${share(weights[word], OF_SHARE)} · ${bracketed(V[word][d])} ${equals(weights[word] * V[word][d], rounded(weights[word], 2 + OF_SHARE) * V[word][d], 2)}`,
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
    return `${sum} ${equals(mixed[d], added(terms.map((term) => rounded(term, digits))), digits)}.  ${end}`;
  },
};

/**
 * @param {Story} story @param {"W_Q" | "W_K" | "W_V"} name @param {number} head @param {number} word @param {number} d
 * @param {number} value
 */
function projected(story, name, head, word, d, value) {
  const { labels, scenes } = story.words,
    learning = 1 + scenes.findIndex(({ learns }) => learns); // the scene that shows matrices
  if (story.scene < learning) return filled(labels.later, { scene: learning });
  const x = sentenceOf(story).X[word],
    column = story.words.steps[story.step][name][head].map((row) => row[d]);
  const sum = x.map((part, i) => `${exact(part)}·${bracketed(column[i])}`).join(" + ");
  return `${sum} ${equals(value, dot(x, column))}`;
}

/** @param {number[]} terms */
const added = (terms) => terms.reduce((sum, term) => sum + term);

/** @param {number} value @param {number} [digits] */
const rounded = (value, digits = DIGITS) => Number(value.toFixed(digits));

/** @param {number} value */
const exact = (value) => bare(value, DIGITS);

/** @param {number} value */
export const bracketed = (value) => (value < 0 ? `(${exact(value)})` : exact(value));

/**
 * A result behind the sign that holds for what is printed: "=" where the printed operands give just that.
 * @param {number} value @param {number} given what the printed operands give @param {number} [digits]
 */
export function equals(value, given, digits = DIGITS) {
  const isSame = Math.abs(given - rounded(value, digits)) < 1e-9;
  return isSame ? `= ${bare(value, digits)}` : `≈ ${plain(value, digits)}`;
}
