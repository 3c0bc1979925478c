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
 * What a single head would give that had the values of both, added up: one unit, split between the two words that matter.
 * @param {Story} story @param {TinyRow} row @param {number} split what the second of them gets
 * @returns {QueryRow}
 */
function splitRow({ words }, { Q, K, V, scores }, split) {
  const weights = scores[0].map((_, word) => (word === CLUE ? 1 - split : word === words.query - 1 ? split : 0)),
    both = V[0].map((v, word) => v.map((part, d) => part + V[1][word][d])),
    mixed = both[0].map((_, d) =>
      dot(
        weights,
        both.map((v) => v[d]),
      ),
    );
  return { Q: Q[0], K: K[0], V: both, scores: scores[0], weights, mixed };
}

/** @param {number[]} one @param {number[]} other */
export const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);

/**
 * A number without zeros at its end.
 * @param {number} value @param {number} [digits]
 */
export const bare = (value, digits) => plain(value, digits).replace(/\.?0+$/, "");

/**
 * Where the word lies on the plane of meanings: before it took anything over.
 * @param {Story} story
 */
export const startOf = (story) => sentenceOf(story).X[story.words.query].slice(0, 2);
