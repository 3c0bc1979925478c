import { chosenQuery } from "../microscope/attended.js";

/** From which head and token one looks: as the microscope has it, while it stands within what was
 * sent, else as the server chose. begins: the first head and the first token that were sent; shape:
 * how many of each. One head may stand for all.
 *
 * @returns {[number, number]} the places of head and token in what was sent
 */
export function lookedFrom(store, { begins, shape, by_head: byHead }) {
  const { trace } = store ?? {};
  if (!store?.isReady || trace.before === null) return [0, 0];
  const place = [byHead ? store.head - begins[0] : 0, chosenQuery(store) - begins[1]];
  return place.every((at, axis) => at >= 0 && at < shape[axis]) ? place : [0, 0];
}

/** What a token is called; the first, before all patches, has a name of its own. */
export const nameOf = ({ cls, patch }, token) => (token ? patch.replace("{number}", String(token)) : cls);
