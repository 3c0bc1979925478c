import { DOWN, PAGE, RIGHT, fit, isNarrow, lineOf, namedOnce, textBefore } from "./design.js";

const DIGITS = 14; // pixels of the largest digits at scale 1

/**
 * The boxes of a step's planes in CSS pixels, and the window of each axis that is in sight. All steps
 * get the height of the tallest, so that what is below does not move.
 * @param {Drawing} drawing @param {Drawing[]} all @param {number} width @param {number} tallest
 * @param {Windows} windows
 * @param {Scales} [scales]
 * @returns {Layout}
 */
export function layoutOf(drawing, all, width, tallest, windows, scales = PAGE) {
  const narrow = isNarrow(width);
  /** @param {Drawing} one */
  const fitted = (one) => {
    const design = { ...(narrow ? one.narrow : one.wide), isProduct: one.layout === "product" },
      fits = fit(design, width, tallest, scales);
    const spares = (scales.textScale ?? 0) > PAGE.textScale && fits.scale < 1;
    return spares ? fit(namedOnce(design, one.planes), width, tallest, scales) : fits;
  };
  const { design, scale, textScale, height: own } = fitted(drawing),
    { boxes, isProduct, unnamed } = design,
    height = narrow ? own : Math.min(tallest, Math.max(...all.map((one) => fitted(one).height)));
  /** @param {Arranged["boxes"][number]} box */
  const right = ([x, y]) => x * scale + textBefore(x, lineOf(design, y), RIGHT) * (textScale - scale);
  const end = Math.max(...boxes.map((box) => right(box) + box[2] * scale)),
    rest = design.width - Math.max(...boxes.map(([x, , wide]) => x + wide));
  const left = Math.max(0, (width - end - rest * textScale) / 2),
    above = Math.max(0, (height - own) / 3);
  const first = drawing.planes[0],
    result = drawing.planes.at(-1);
  const shared = narrow && isProduct && first.rows.names === result.rows.names; // names that stand at the left already
  const placed = boxes.map((arranged, i) => {
    const [, y, w, h] = arranged,
      plane = drawing.planes[i],
      [top, bottom] = windowOf(plane.rows, windows),
      [first, last] = windowOf(plane.columns, windows);
    const box = {
      plane,
      x: left + right(arranged),
      y: above + y * scale + textBefore(y, boxes, DOWN) * (textScale - scale),
      width: w * scale,
      height: h * scale,
      top,
      bottom,
      first,
      last,
      unnamed: unnamed?.[i] ?? { rows: shared && plane === result, columns: false },
    };
    return { ...box, cellWidth: box.width / (last - first), cellHeight: box.height / (bottom - top) };
  });
  return {
    boxes: /** @type {Filled<Box>} */ (placed),
    scale,
    textScale,
    digits: (scales.digits ?? DIGITS) * Math.max(1, scale),
    width,
    height: Math.max(height, above + own),
    narrow,
  };
}

/** @param {Side} side @param {Windows} windows */
function windowOf(side, windows) {
  const [first, last] = windows[side.role] ?? [0, side.size];
  return last <= side.size ? [first, last] : [0, side.size];
}

/** @param {Layout} layout @param {number} x @param {number} y */
export function hit(layout, x, y) {
  for (let plane = layout.boxes.length - 1; plane >= 0; plane--) {
    const box = layout.boxes[plane];
    if (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height) continue;
    return {
      plane,
      row: box.top + Math.floor((y - box.y) / box.cellHeight),
      column: box.first + Math.floor((x - box.x) / box.cellWidth),
    };
  }
  return null;
}

/** @param {Box} box @param {number} row @param {number} column */
export function cellBox(box, row, column) {
  return {
    x: box.x + (column - box.first) * box.cellWidth,
    y: box.y + (row - box.top) * box.cellHeight,
    width: box.cellWidth,
    height: box.cellHeight,
  };
}

const FEWEST = 4;

/**
 * Narrows or widens the windows of a plane's rows and columns around one of its cells.
 * @param {Windows} windows @param {Box} box @param {CellSpot} spot @param {number} times
 */
export function zoomed(windows, box, spot, times) {
  const changed = { ...windows };
  /** @param {Side} side @param {number} first @param {number} last @param {number} at */
  const change = (side, first, last, at) => {
    if (!side.role) return;
    const size = Math.min(side.size, Math.max(FEWEST, Math.round((last - first) * times)));
    const part = (at - first) / (last - first);
    changed[side.role] = shifted(Math.round(at - part * size), size, side.size);
  };
  change(box.plane.rows, box.top, box.bottom, spot.row);
  change(box.plane.columns, box.first, box.last, spot.column);
  return changed;
}

/** @param {Windows} windows @param {Box} box @param {number} down @param {number} right */
export function panned(windows, box, down, right) {
  return {
    ...windows,
    ...(box.plane.rows.role && {
      [box.plane.rows.role]: shifted(box.top + down, box.bottom - box.top, box.plane.rows.size),
    }),
    ...(box.plane.columns.role && {
      [box.plane.columns.role]: shifted(box.first + right, box.last - box.first, box.plane.columns.size),
    }),
  };
}

/**
 * Scrolls the windows as little as possible to make a cell visible.
 * @param {Windows} windows @param {Box} box @param {CellSpot} spot
 */
export function scrolledTo(windows, box, spot) {
  /** @param {number} at @param {number} first @param {number} last */
  const missing = (at, first, last) => (at < first ? at - first : at >= last ? at - last + 1 : 0);
  const down = missing(spot.row, box.top, box.bottom),
    right = missing(spot.column, box.first, box.last);
  return down || right ? panned(windows, box, down, right) : windows;
}

/**
 * @param {number} first @param {number} size @param {number} all
 * @returns {[first: number, last: number]}
 */
function shifted(first, size, all) {
  const begin = Math.max(0, Math.min(all - size, first));
  return [begin, begin + size];
}

/** @param {Layout} layout */
export function isZoomed(layout) {
  return layout.boxes.some(
    ({ plane, top, bottom, first, last }) => bottom - top < plane.rows.size || last - first < plane.columns.size,
  );
}
