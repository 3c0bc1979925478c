import { bitmapOf } from "./cells.js";
import { make, penOf } from "../../shared/dom.js";
import { pixelsOf } from "../../shared/pixels.js";
import { memo } from "../engine/memo.js";
import { cellsOf } from "./planes.js";
import { rampOf, rgb } from "../theme.js";
import { hiddenTokensOf, coverHidden } from "./hidden_tokens.js";

const FINEST = 152; // pixels of a small picture, on a screen that has two for each

/**
 * A head's result as a picture of one pixel a cell; smaller where its numbers were not sent.
 * @param {Store} store @param {number} head @param {Palette} palette
 */
export function headPicture(store, head, palette) {
  const { trace, stage } = store;
  const plane = trace.drawing(stage).planes.at(-1);
  if (trace.hasHead(stage, head)) {
    const at = { ...store.pointed({ hover: null }), ...trace.headPositions(stage, head) };
    return bitmapOf(trace, plane, cellsOf(trace, plane, at), palette);
  }
  return thumbnail(trace, stage, head, palette);
}

/**
 * A head's result as small as it stands beside those of the others, which no other head shows.
 * @param {Store} store @param {number} head @param {Palette} palette
 */
export function smallPicture(store, head, palette) {
  const { trace, stage } = store,
    isSent = `${stage}.thumbnails` in trace.arrays;
  return isSent
    ? thumbnail(trace, stage, head, palette)
    : memo(trace.thumbnails, nameOf(stage, head, palette), () => shrunk(headPicture(store, head, palette)));
}

/** @param {HTMLCanvasElement} picture */
function shrunk(picture) {
  const part = Math.min(1, FINEST / Math.max(picture.width, picture.height)),
    [width, height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(part * size)));
  const canvas = Object.assign(make("canvas"), { width, height }),
    pen = penOf(canvas);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(picture, 0, 0, width, height);
  return canvas;
}

/** @param {string} stage @param {number} head @param {Palette} palette */
const nameOf = (stage, head, { ground }) => `${stage} ${head} ${ground}`;

/** @param {Trace} trace @param {string} stage @param {number} head @param {Palette} palette */
function thumbnail(trace, stage, head, palette) {
  return memo(trace.thumbnails, nameOf(stage, head, palette), () => {
    const { shape, values } = trace.arrays[`${stage}.thumbnails`],
      [, rows, columns] = shape,
      ramp = rampOf(trace.stage(stage).scale, palette),
      masked = rgb(palette.masked),
      plane = trace.drawing(stage).planes.at(-1);
    const canvas = pixelsOf(columns, rows, (i) => {
      const level = values[head * rows * columns + i];
      return level ? ramp[level] : masked;
    });
    coverHidden(penOf(canvas), hiddenTokensOf(trace, plane), [plane.rows.size, plane.columns.size], canvas, palette);
    return canvas;
  });
}
