import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";

/**
 * Where the numbers of the tiny model come from.
 * @param {Story} story
 */
export function origin({ words }) {
  const { labels, steps, vocabulary } = words;
  return make("p", "origin", filled(labels.tiny, { step: steps[steps.length - 1].step, words: vocabulary }));
}
