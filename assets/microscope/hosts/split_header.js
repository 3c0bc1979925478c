/** Unpacks what views/scene/blob.py packs: a header of the page, and a scene.
 *
 * @param {Uint8Array<ArrayBuffer>} data
 */
export function splitHeader(data) {
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true),
    start = 8 + size;
  const header = JSON.parse(new TextDecoder().decode(data.subarray(8, start)));
  return { header, scene: data.subarray(start) };
}
