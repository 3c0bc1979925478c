import { make } from "../shared/dom.js";
import { filled } from "../microscope/engine/names.js";

/**
 * Where the numbers of a scene come from: a pretrained model, or the tiny one.
 * @param {Story} story
 */
export function origin({ words, scene }) {
  const { labels, meanings, steps, vocabulary, scenes } = words;
  const recorded = filled(labels.recorded, {
    model: meanings.title,
    count: meanings.without[0].length,
    d_model: meanings.d_model,
  });
  return make(
    "p",
    "origin",
    scenes[scene - 1].figure === "twins"
      ? recorded
      : filled(labels.tiny, { step: steps[steps.length - 1].step, words: vocabulary }),
  );
}
