import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";

/**
 * Where the numbers of the tiny model come from; in a scene whose numbers change with its training, what they are for.
 * @param {Story} story
 */
export function origin({ words, scene }) {
  const { labels, steps, vocabulary, scenes } = words,
    { learns, splits } = scenes[scene - 1],
    tiny = filled(labels.tiny, { step: steps[steps.length - 1].step, words: vocabulary });
  return make("p", "origin", learns ? labels.half : splits ? labels.borrowed : tiny);
}
