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
    arrays[name] = { shape, values: new TYPES[type](copy.buffer, start + begins, size) };
  }
  return { ...header, id, arrays };
}
