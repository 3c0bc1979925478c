// Reads what views/scene/blob.py wrote: a JSON header, then the arrays that it describes.
export const VERSION = 3; // of the scenes that this microscope reads: views/scene/scene.py
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
    arrays[name] = { shape, values: numbersIn(copy.buffer, type, shape, start + begins) };
  }
  return { ...header, id, arrays };
}

/**
 * @param {ArrayBuffer} buffer @param {NumberType} type @param {number[]} shape @param {number} [begin] in bytes
 * @returns {Numbers}
 */
export function numbersIn(buffer, type, shape, begin = 0) {
  const size = shape.reduce((product, n) => product * n, 1);
  if (type === "f2") return Float32Array.from(new Uint16Array(buffer, begin, size), half);
  return new TYPES[type](buffer, begin, size);
}

/**
 * A scene's header and arrays. Throws for a scene of another version, in both languages, for its
 * words may be missing.
 * @param {Uint8Array} bytes
 */
export function sceneOf(bytes) {
  const scene = unpacked(bytes),
    found = scene.version ?? 0;
  if (found === VERSION) return scene;
  const zh = `这份数据是第 ${found} 版，而这台显微镜读的是第 ${VERSION} 版，请重新生成。`;
  const en = `This scene is of version ${found}, and this microscope reads version ${VERSION}: make it anew.`;
  throw new RangeError(`${zh} ${en}`);
}

/**
 * Splits the data of a component, which `prepend_header` packed, into the header of the page and the scene.
 * @param {Uint8Array<ArrayBuffer>} data
 */
export function splitHeader(data) {
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true),
    start = 8 + size;
  const header = JSON.parse(new TextDecoder().decode(data.subarray(8, start)));
  return { header, scene: data.subarray(start) };
}

/**
 * A scene with its weights, which come in a message of their own: their CRC-32 in 8 bytes, then the pieces one after
 * the other.
 * @param {Uint8Array} rest of the scene @param {Uint8Array} weights @param {[begin: number, size: number][]} pieces in it
 */
export function joined(rest, weights, pieces) {
  const whole = new Uint8Array(rest.length + weights.length - 8);
  let end = 0, // of what is there
    read = 0,
    taken = 8;
  for (const [begin, size] of pieces) {
    whole.set(rest.subarray(read, (read += begin - end)), end);
    whole.set(weights.subarray(taken, (taken += size)), begin);
    end = begin + size;
  }
  whole.set(rest.subarray(read), end);
  return whole;
}

/**
 * The CRC-32 at the beginning of a scene, or of weights.
 * @param {Uint8Array} bytes
 */
export const idOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);

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
