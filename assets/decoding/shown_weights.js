/** @import { By, Decoding, View } from "./types.d.ts" */

/**
 * The weights of the head that is drawn: the chosen one, or that which the pointer tries. The mean
 * of all heads stands behind them.
 * @param {View} view
 */
export function weightsOf(view) {
  const { layer, head, by } = view.preview ?? view,
    heads = view.data.weights[layer];
  return heads[by === "mean" ? heads.length - 1 : head];
}

/** @param {View} view */
export function drawnHead(view) {
  const { layer, head, by } = view.preview ?? view,
    { words } = view.data;
  return `${words.layer.replace("{number}", String(layer + 1))} · ${headName(words, head, by)}`;
}

/** @param {Decoding["words"]} words @param {number} head @param {By} by */
export function headName(words, head, by) {
  return by === "mean" ? words.mean : words.head.replace("{number}", String(head + 1));
}

/**
 * START and END are no words: they are written as signs.
 * @param {Decoding} data @param {string} word
 */
export function signed(data, word) {
  return data.signs[word] ?? word;
}

/**
 * Which words are there at this step; where they are given, all of them.
 * @param {View} view @param {number} position
 */
export function isThere(view, position) {
  return view.data.forced || position <= view.position;
}
