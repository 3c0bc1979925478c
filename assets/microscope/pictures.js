import { bitmapOf } from "./cells.js";
import { make, penOf } from "../shared/dom.js";
import { memo } from "./memo.js";
import { cellsOf } from "./planes.js";
import { css, rampOf, rgb } from "./theme.js";
import { hiddenTokensOf, coverHidden } from "./hidden_tokens.js";

/**
 * A head's result as a picture of one pixel a cell; smaller where its numbers were not sent.
 * @param {Store} store @param {number} head @param {Palette} palette
 */
export function headPicture(store, head, palette) {
  const { trace, stage } = store;
  const plane = trace.drawing(stage).planes.at(-1);
  if (trace.hasHead(stage, head)) {
    const at = { ...store.pointed({ hover: null }), ...trace.headPlaces(stage, head) };
    return bitmapOf(trace, plane, cellsOf(trace, plane, at), palette);
  }
  return thumbnail(trace, stage, head, palette);
}

/** @param {Trace} trace @param {string} stage @param {number} head @param {Palette} palette */
function thumbnail(trace, stage, head, palette) {
  return memo(trace.thumbnails, `${stage} ${head} ${palette.ground}`, () => drawn(trace, stage, head, palette));
}

/** @param {Trace} trace @param {string} stage @param {number} head @param {Palette} palette */
function drawn(trace, stage, head, palette) {
  const {
      shape: [, rows, columns],
      values,
    } = trace.arrays[`${stage}.thumbnails`],
    ramp = rampOf(trace.stage(stage).scale, palette);
  const canvas = make("canvas"),
    masked = css(rgb(palette.masked));
  canvas.width = columns;
  canvas.height = rows;
  const pen = penOf(canvas);
  for (let i = 0; i < rows * columns; i++) {
    const place = values[head * rows * columns + i];
    pen.fillStyle = place ? css(ramp[place]) : masked;
    pen.fillRect(i % columns, Math.floor(i / columns), 1, 1);
  }
  const plane = trace.drawing(stage).planes.at(-1);
  coverHidden(pen, hiddenTokensOf(trace, plane), [plane.rows.size, plane.columns.size], canvas, palette);
  return canvas;
}
