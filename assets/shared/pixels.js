import { make, penOf } from "./dom.js";

/**
 * A picture of one pixel per cell. colour: gives red, green, blue and optionally alpha.
 * @param {number} columns @param {number} rows @param {(index: number) => number[]} colour
 */
export function pixelsOf(columns, rows, colour) {
  const canvas = Object.assign(make("canvas"), { width: columns, height: rows }),
    pen = penOf(canvas),
    image = pen.createImageData(columns, rows);
  for (let i = 0, at = 0; i < rows * columns; i++) {
    const [red, green, blue, opaque = 255] = colour(i);
    image.data[at++] = red;
    image.data[at++] = green;
    image.data[at++] = blue;
    image.data[at++] = opaque;
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}
