// ASCII letters, two of which are 13 bits: in_letters of views/export/file.py writes them.
const LETTERS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
    (one) => !" <&\\".includes(one),
  ),
  BITS = 13;
const VALUES = new Uint8Array(128);
LETTERS.forEach((letter, value) => (VALUES[letter.charCodeAt(0)] = value));

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new RangeError(`nothing here is called ${id}`);
  return element;
}

/** @param {string} id */
export const textOf = (id) => byId(id).textContent;

/**
 * The bytes that a page holds under this name. `_piece_script` of views/export/file.py says how they are written.
 * @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function pieceOf(name) {
  const { size, width: each, samples } = byId(name).dataset;
  if (samples) return waveform(new Int16Array((await pieceOf(samples)).buffer));
  const deflated = new Blob([fromLetters(textOf(name), Number(size))]),
    inflated = deflated.stream().pipeThrough(new DecompressionStream("deflate")),
    apart = new Uint8Array(await new Response(inflated).arrayBuffer()),
    width = Number(each),
    count = apart.length / width,
    joined = new Uint8Array(apart.length);
  for (let byte = 0; byte < width; byte++)
    for (let i = 0; i < count; i++) joined[i * width + byte] = apart[byte * count + i];
  return joined;
}

/** @param {Int16Array} samples */
const waveform = (samples) => new Uint8Array(Float32Array.from(samples, (sample) => sample / 2 ** 15).buffer);

/** @param {string} text @param {number} size in bytes */
function fromLetters(text, size) {
  const bytes = new Uint8Array(size);
  let buffer = 0,
    bits = 0,
    end = 0;
  for (let i = 0; end < size; i += 2) {
    const value = VALUES[text.charCodeAt(i)] * LETTERS.length + VALUES[text.charCodeAt(i + 1)];
    buffer = ((buffer << BITS) | value) & 0xfffff;
    for (bits += BITS; bits >= 8 && end < size; end++) bytes[end] = buffer >> (bits -= 8);
  }
  return bytes;
}
