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
 * The bytes that a page holds under this name. `_piece_script` of views/export.py says how they are written.
 * @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function pieceOf(name) {
  const deflated = new Blob([bytes(textOf(name))]),
    inflated = deflated.stream().pipeThrough(new DecompressionStream("deflate")),
    apart = new Uint8Array(await new Response(inflated).arrayBuffer()),
    width = Number(byId(name).dataset.width),
    count = apart.length / width,
    joined = new Uint8Array(apart.length);
  for (let byte = 0; byte < width; byte++)
    for (let i = 0; i < count; i++) joined[i * width + byte] = apart[byte * count + i];
  return joined;
}
