import { chosenQuery } from "../microscope/attended.js";

/**
 * What goes along of a model's looks. begins: the first head and the first token that were sent;
 * shape: how many of each. One head may stand for all.
 * @typedef {{ cls: string, patch: string }} TokenNames
 * @typedef {{ begins: [number, number], shape: [number, number], by_head: boolean, names: TokenNames }} Followed
 */

/**
 * From which head and token one looks: as the microscope has it, while it stands within what was
 * sent, else as the server chose.
 *
 * @param {Store | null} store @param {Followed} sent
 * @returns {[head: number, token: number]} the places of head and token in what was sent
 */
export function lookedFrom(store, { begins, shape, by_head: byHead }) {
  if (!store?.isReady || store.trace.before === null) return [0, 0];
  const head = byHead ? store.head - begins[0] : 0,
    token = chosenQuery(store) - begins[1];
  return head >= 0 && head < shape[0] && token >= 0 && token < shape[1] ? [head, token] : [0, 0];
}

/**
 * What a token is called; the first, before all patches, has a name of its own.
 * @param {TokenNames} names @param {number} token
 */
export const nameOf = ({ cls, patch }, token) => (token ? patch.replace("{number}", String(token)) : cls);
