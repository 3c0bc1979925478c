// Reads what views/scene/blob.py wrote: a JSON header, then the arrays that it describes.
const TYPES = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };

/** @param {Uint8Array} bytes */
export function unpacked(bytes) {
  const copy = new Uint8Array(bytes).slice();
  const [id, length] = new Uint32Array(copy.buffer, 0, 2),
    start = 8 + length;
  const header = JSON.parse(new TextDecoder().decode(copy.subarray(8, start)));
  /** @type {Scene["arrays"]} */
  const arrays = {};
  /** @type {[string, { type: NumberType, shape: number[], begins: number }][]} */
  const described = Object.entries(header.arrays);
  for (const [name, { type, shape, begins }] of described) {
    const size = shape.reduce((product, n) => product * n, 1);
    const at = start + begins;
    const values =
      type === "f2"
        ? Float32Array.from(new Uint16Array(copy.buffer, at, size), half)
        : new TYPES[type](copy.buffer, at, size);
    arrays[name] = { shape, values };
  }
  return { ...header, id, arrays };
}

/**
 * The value of a number in half precision: a sign, 5 bits of exponent, 10 of fraction (IEEE 754, binary16).
 * @param {number} bits
 */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -24 * fraction;
}
