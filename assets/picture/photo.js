import { make, penOf } from "../shared/dom.js";
import { along } from "../shared/scale.js";
import { contrastOf, paint } from "./overlay.js";

/** @import { Contrast } from "./overlay.js" */

const FINEST = 448; // pixels in a row of an overlay: a photo has no more, and each is painted anew

/**
 * The weights of the patches, row by row, the end of their scale, and its colours.
 * @typedef {{ weights: Float32Array | Float64Array | Uint8Array, largest: number, root: boolean, stops: string[] }} Lit
 */

/**
 * A photo of so many rows and columns of patches. size: its own width and height. frame: the element
 * that gives the canvas its width.
 * @typedef {{
 *   canvas: HTMLCanvasElement, photo: HTMLImageElement | null, frame: HTMLElement,
 *   grid: [rows: number, columns: number], size: [width: number, height: number], lit: Lit | null,
 * }} Drawn
 * @typedef {{ x: number, y: number, wide: number, high: number }} Cell
 */

/**
 * The photo, cut into patches or as an overlay of their weights.
 * @param {Drawn} drawn
 */
export function draw({ canvas, photo, frame, grid: [rows, columns], size, lit }) {
  const wide = frame.clientWidth;
  if (!photo || !wide) return;
  const ratio = Math.min(window.devicePixelRatio || 1, lit ? FINEST / wide : Infinity),
    pen = penOf(canvas);
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round((canvas.width * size[1]) / size[0]);
  frame.classList.toggle("fine", wide / columns < 18);
  pen.imageSmoothingEnabled = wide / size[0] < 2.5;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, canvas.width, canvas.height);
  const cells = cellsOf(rows, columns, canvas);
  if (lit) return light(pen, photo, cells, lit);
  cut(pen, cells, ratio);
  number(pen, cells, brightness(photo, rows, columns), columns, ratio);
}

/**
 * The patches of a picture in whole pixels, row by row.
 * @param {number} rows @param {number} columns @param {{ width: number, height: number }} picture @returns {Cell[]}
 */
export function cellsOf(rows, columns, { width, height }) {
  /** @param {number} i @param {number} count @param {number} length */
  const edge = (i, count, length) => Math.round((i * length) / count);
  return Array.from({ length: rows * columns }, (_, i) => {
    const x = edge(i % columns, columns, width),
      y = edge(Math.floor(i / columns), rows, height);
    return {
      x,
      y,
      wide: edge((i % columns) + 1, columns, width) - x,
      high: edge(Math.floor(i / columns) + 1, rows, height) - y,
    };
  });
}

/** @type {WeakMap<HTMLImageElement, { name: string, contrasts: Contrast[] }>} */
const contrasts = new WeakMap();

/**
 * @param {CanvasRenderingContext2D} pen with the photo on it @param {HTMLImageElement} photo
 * @param {Cell[]} cells @param {Lit} lit
 */
function light(pen, photo, cells, lit) {
  const { width, height } = pen.canvas,
    name = [width, height, cells.length].join();
  let cached = contrasts.get(photo);
  if (cached?.name !== name) {
    cached = { name, contrasts: contrastOf(pen.getImageData(0, 0, width, height).data, width, cells) };
    contrasts.set(photo, cached);
  }
  const picture = pen.createImageData(width, height),
    parts = Array.from(lit.weights, (weight) => along(lit, weight));
  paint(picture.data, cached.contrasts, lit.stops, parts);
  pen.putImageData(picture, 0, 0);
}

/**
 * Light beside dark is visible on any picture.
 * @param {CanvasRenderingContext2D} pen @param {Cell[]} cells @param {number} ratio
 */
function cut(pen, cells, ratio) {
  const thin = Math.max(1, Math.round(ratio));
  const white = cells[0].wide / ratio < 18 ? 0.42 : 0.62;
  for (const { x, y, wide, high } of cells) {
    pen.fillStyle = `rgb(255 255 255 / ${white})`;
    if (x) pen.fillRect(x, y, thin, high);
    if (y) pen.fillRect(x, y, wide, thin);
    pen.fillStyle = "rgb(0 0 0 / .22)";
    if (x) pen.fillRect(x - thin, y, thin, high);
    if (y) pen.fillRect(x, y - thin, wide, thin);
  }
}

/**
 * Where patches are small, only the first row and the first column are numbered, as far as there is room.
 * @param {CanvasRenderingContext2D} pen @param {Cell[]} cells @param {number[]} bright @param {number} columns
 * @param {number} ratio
 */
function number(pen, cells, bright, columns, ratio) {
  const side = cells[0].wide / ratio;
  const all = side >= 30,
    size = all ? Math.min(14, Math.max(10, side * 0.28)) : 10;
  const wider = Math.ceil((String(cells.length).length * size * 0.7) / side),
    lower = Math.ceil((size * 1.35) / side);
  pen.font = `600 ${size * ratio}px ${getComputedStyle(pen.canvas).fontFamily}`;
  pen.textBaseline = "top";
  pen.lineJoin = "round";
  pen.lineWidth = 2.5 * ratio;
  cells.forEach((cell, i) => {
    const row = Math.floor(i / columns),
      column = i % columns;
    const shown = all || (row === 0 && column % wider === 0) || (column === 0 && row % lower === 0);
    if (!shown) return;
    const [ink, around] = bright[i] > 128 ? ["#14171f", "rgb(255 255 255 / .6)"] : ["#ffffff", "rgb(0 0 0 / .6)"];
    const x = cell.x + 3 * ratio,
      y = cell.y + 3 * ratio;
    pen.strokeStyle = around;
    pen.strokeText(String(i + 1), x, y);
    pen.fillStyle = ink;
    pen.fillText(String(i + 1), x, y);
  });
}

/**
 * How bright each patch is on the whole, 0 … 255: the photo shrunk to one pixel a patch.
 * @param {HTMLImageElement} photo @param {number} rows @param {number} columns
 */
function brightness(photo, rows, columns) {
  const pen = penOf(Object.assign(make("canvas"), { width: columns, height: rows }));
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, columns, rows);
  const { data } = pen.getImageData(0, 0, columns, rows);
  return Array.from(
    { length: rows * columns },
    (_, i) => 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2],
  );
}
