import { make, penOf } from "../shared/dom.js";
import { pixelsOf } from "../shared/pixels.js";
import { along } from "../shared/scale.js";

// The light that stays where the weight is 0, so that one knows where one is.
const GHOST = 0.07;
const FAINT = 0.06; // of the scale, below which a lit frame would not be seen

/**
 * The weights of the patches, row by row, and the end of their scale.
 * @typedef {{ weights: Float32Array | Float64Array | Uint8Array, largest: number, root: boolean }} Lit
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
 * The photo, cut into patches or lit by their weights.
 * @param {Drawn} drawn
 */
export function draw({ canvas, photo, frame, grid: [rows, columns], size, lit }) {
  const wide = frame.clientWidth;
  if (!photo || !wide) return;
  const ratio = window.devicePixelRatio || 1,
    pen = penOf(canvas);
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round((canvas.width * size[1]) / size[0]);
  frame.classList.toggle("fine", wide / columns < 18);
  pen.imageSmoothingEnabled = wide / size[0] < 2.5;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(photo, 0, 0, canvas.width, canvas.height);
  /** @param {number} i @param {number} count @param {number} length */
  const edge = (i, count, length) => Math.round((i * length) / count);
  const cells = Array.from({ length: rows * columns }, (_, i) => {
    const x = edge(i % columns, columns, canvas.width),
      y = edge(Math.floor(i / columns), rows, canvas.height);
    return {
      x,
      y,
      wide: edge((i % columns) + 1, columns, canvas.width) - x,
      high: edge(Math.floor(i / columns) + 1, rows, canvas.height) - y,
    };
  });
  if (lit) return light(pen, lit, rows, columns, cells, ratio);
  cut(pen, cells, ratio);
  number(pen, cells, brightness(photo, rows, columns), columns, ratio);
}

/**
 * Twice as far is twice the light; a screen's values are about the 2.2th root of its light.
 * @param {number} part
 */
export function lightOf(part) {
  return (GHOST + (1 - GHOST) * part) ** (1 / 2.2);
}

/**
 * A black patch stays black in any light, so the weight also lights its frame.
 * @param {CanvasRenderingContext2D} pen @param {Lit} lit @param {number} rows @param {number} columns
 * @param {Cell[]} cells @param {number} ratio
 */
function light(pen, lit, rows, columns, cells, ratio) {
  const parts = Array.from(lit.weights, (weight) => along(lit, weight)),
    thin = Math.max(1, Math.round(ratio));
  const shade = pixelsOf(columns, rows, (i) => [0, 0, 0, Math.round(255 * (1 - lightOf(parts[i])))]);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(shade, 0, 0, pen.canvas.width, pen.canvas.height);
  pen.lineWidth = thin;
  parts.forEach((part, i) => {
    if (part < FAINT) return;
    const { x, y, wide, high } = cells[i];
    pen.strokeStyle = `rgb(255 255 255 / ${0.45 * part})`;
    pen.strokeRect(x + thin / 2, y + thin / 2, wide - thin, high - thin);
  });
}

/**
 * Light beside dark is seen on any picture.
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
