import { bytes } from "../shared/base64.js";

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new RangeError(`nothing here is called ${id}`);
  return element;
}

/** @param {string} id */
export const textOf = (id) => byId(id).textContent;

/**
 * The bytes that a page holds under this name, deflated.
 * @param {string} name @returns {Promise<ArrayBuffer>}
 */
export function pieceOf(name) {
  const deflated = new Blob([bytes(textOf(name))]);
  return new Response(deflated.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}
