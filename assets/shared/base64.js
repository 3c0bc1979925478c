/** @param {string} text */
export function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {string} text */
export function floats(text) {
  return new Float32Array(bytes(text).buffer);
}
