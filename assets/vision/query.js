import { chosenQuery } from "../microscope/engine/attended.js";

/**
 * The part of a model's weights that was sent. begins: its first head and first token; shape: the
 * numbers of heads and tokens. by_head: whether there is one entry per head.
 * @typedef {{ specials: string[], patch: string }} TokenNames
 * @typedef {{ begins: [number, number], shape: [number, number], by_head: boolean, names: TokenNames }} Followed
 */

/**
 * The current head and query token: those of the microscope if they were sent, else the first ones,
 * which the server chose.
 *
 * @param {Store | null} store @param {Followed} sent
 * @returns {[head: number, token: number]} their indices in the part that was sent
 */
export function queryOf(store, { begins, shape, by_head: byHead }) {
  if (!store?.isReady || store.trace.before === null) return [0, 0];
  const head = byHead ? store.head - begins[0] : 0,
    token = chosenQuery(store) - begins[1];
  return head >= 0 && head < shape[0] && token >= 0 && token < shape[1] ? [head, token] : [0, 0];
}

/**
 * The name of a token; those in front, such as [CLS], are no patches.
 * @param {TokenNames} names @param {number} token
 */
export const nameOf = ({ specials, patch }, token) =>
  specials[token] ?? patch.replace("{number}", String(token + 1 - specials.length));
