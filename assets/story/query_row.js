import { softmax } from "../microscope/engine/rules.js";
import { plain } from "../microscope/engine/numbers.js";

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
    [K, V] = [row.K[head], row.V[head]];
  if (!story.Q && story.score === null)
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

/** @param {number[]} one @param {number[]} other */
export const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);

/**
 * A number without zeros at its end.
 * @param {number} value
 */
export const bare = (value) => plain(value).replace(/\.?0+$/, "");

/**
 * Where the word lies on the plane of meanings: before it took anything over.
 * @param {Story} story
 */
export const startOf = (story) => sentenceOf(story).X[story.words.query].slice(0, 2);
