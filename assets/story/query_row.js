import { softmax } from "../microscope/engine/rules.js";
import { plain } from "../microscope/engine/numbers.js";

export const CLUE = 0; // the word that tells the meaning

/**
 * The sentence of the tiny model, at the chosen step of its training.
 * @param {Story} story
 */
export const sentenceOf = ({ words, step, sentence }) => words.steps[step].sentences[sentence];

/**
 * The names of its words.
 * @param {Story} story
 */
export const namesOf = ({ words, sentence }) => words.names[sentence];

/**
 * One head's row of the word that asks: as computed, or what follows where the reader moved something.
 * @param {Story} story @param {number} head
 * @returns {QueryRow}
 */
export function queryRow(story, head) {
  const row = sentenceOf(story),
    K = row.K[head],
    V = row.V[head].map((v, word) => (word === CLUE ? v.map((part) => part * story.size) : v));
  if (story.split !== null) return splitRow(story, row, story.split);
  if (!story.Q && story.score === null && story.size === 1)
    return { Q: row.Q[head], K, V, scores: row.scores[head], weights: row.weights[head], mixed: row.mixed[head] };
  const Q = story.Q ?? row.Q[head],
    scores = story.Q ? K.map((k) => dot(Q, k)) : [...row.scores[head]];
  if (story.score !== null) scores[story.word] = story.score;
  const weights = [...softmax(Float64Array.from(scores)).weights];
  const mixed = Q.map((_, d) =>
    dot(
      weights,
      V.map((v) => v[d]),
    ),
  );
  return { Q, K, V, scores, weights, mixed };
}

/**
 * What a single head would give that had a number of each head's values, and split what it gives to the two words that
 * matter: before it is split, what it gives is what head 1 gives along the first number.
 * @param {Story} story @param {TinyRow} row @param {number} split the part of the second of them
 * @returns {QueryRow}
 */
function splitRow(story, { Q, K, V, scores, weights }, split) {
  const other = story.words.query - 1,
    both = weights[0][CLUE] + weights[0][other],
    shares = weights[0].with(CLUE, both * (1 - split)).with(other, both * split),
    values = V[0].map(([along], word) => [along, V[1][word][1]]);
  const mixed = values[0].map((_, d) =>
    dot(
      shares,
      values.map((v) => v[d]),
    ),
  );
  return { Q: Q[0], K: K[0], V: values, scores: scores[0], weights: shares, mixed };
}

/**
 * Of what a trained head gives to the two words that matter, the part of the second.
 * @param {Story} story
 */
export function trainedSplit(story) {
  const [weights] = sentenceOf(story).weights,
    other = weights[story.words.query - 1];
  return other / (weights[CLUE] + other);
}

/** @param {number[]} one @param {number[]} other */
export const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);

/**
 * A number without zeros at its end.
 * @param {number} value @param {number} [digits]
 */
export const bare = (value, digits) => plain(value, digits).replace(/\.?0+$/, "");

/**
 * A share in per cent: one that is not nothing is not printed as 0.
 * @param {number} value @param {number} [digits]
 */
export function share(value, digits = 0) {
  const text = plain(100 * value, digits);
  return `${value > 0 && !Number(text) ? `<${10 ** -digits}` : text} %`;
}

/**
 * What each word would get if the best alone got anything; the best, if there are several, the same.
 * @param {number[]} scores
 */
export function bestAlone(scores) {
  const best = Math.max(...scores),
    count = scores.filter((score) => score === best).length;
  return scores.map((score) => Number(score === best) / count);
}

/**
 * Where the word lies on the plane of meanings: before it took anything over.
 * @param {Story} story
 */
export const startOf = (story) => sentenceOf(story).X[story.words.query].slice(0, 2);
