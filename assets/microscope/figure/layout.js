const NARROW = 560; // CSS pixels, below which the design for a phone is taken
const PAGE = { smallest: 0.7, largest: 1.5 },
  DIGITS = 14, // pixels of the largest at scale 1
  READABLE = 0.9; // READABLE: of a phone, where the page is scrolled rather than numbers lost
const [RIGHT, DOWN] = /** @type {const} */ ([0, 1]); // axes of a box
const EDGE = 2; // pixels that a frame around a cell stands out
const TEXT = 0.85; // the smallest scale of the room for titles and names, which do not shrink below what can be read

/**
 * The boxes of a step's planes in CSS pixels, and the window of each axis that is in sight. All steps
 * get the height of the tallest, so that what is below does not move.
 * @param {Drawing} drawing @param {Drawing[]} all @param {number} width @param {number} tallest
 * @param {Windows} windows @param {{ smallest: number, largest: number, digits?: number }} [scales]
 * @returns {Layout}
 */
export function layoutOf(drawing, all, width, tallest, windows, { smallest, largest, digits = DIGITS } = PAGE) {
  /** @param {Drawing} one */
  const of = (one) => (width < NARROW ? one.narrow : one.wide);
  /** @param {Arranged} one */
  const widest = (one) => (width - 2 * EDGE) / one.width;
  /** @param {Arranged} one */
  const fit = (one) => {
    const text = textBefore(one.height, one.boxes, DOWN);
    return Math.min(
      widest(one),
      Math.max(
        Math.min(tallest / one.height, (tallest - text * TEXT) / (one.height - text)),
        width < NARROW ? READABLE : smallest,
      ),
      largest,
    );
  };
  /** @param {Arranged} one @param {number} y @param {number} fits */
  const down = (one, y, fits) => y * fits + textBefore(y, one.boxes, DOWN) * Math.max(0, TEXT - fits);
  /** @param {Arranged} one */
  const heightOf = (one) => down(one, one.height, fit(one));
  const design = of(drawing),
    { boxes } = design,
    fits = fit(design),
    own = heightOf(design),
    height = width < NARROW ? own : Math.min(tallest, Math.max(...all.map((one) => heightOf(of(one)))));
  const spared = Math.max(0, Math.min(TEXT, widest(design)) - fits); // of the width, for names
  /** @param {Arranged["boxes"][number]} box */
  const right = ([x, y]) => {
    const line = boxes.filter((one) => one[1] === y || drawing.layout === "product");
    return x * fits + textBefore(x, line, RIGHT) * spared;
  };
  const end = Math.max(...boxes.map((box) => right(box) + box[2] * fits)),
    rest = design.width - Math.max(...boxes.map(([x, , wide]) => x + wide));
  const left = Math.max(0, (width - end - rest * (fits + spared)) / 2),
    above = Math.max(0, (height - own) / 3);
  const first = drawing.planes[0],
    result = drawing.planes.at(-1);
  const shared = width < NARROW && drawing.layout === "product" && first.rows.names === result.rows.names; // names that stand at the left already
  const placed = boxes.map((arranged, i) => {
    const [, y, w, h] = arranged,
      plane = drawing.planes[i],
      [top, bottom] = windowOf(plane.rows, windows),
      [first, last] = windowOf(plane.columns, windows);
    const box = {
      plane,
      x: left + right(arranged),
      y: above + down(design, y, fits),
      width: w * fits,
      height: h * fits,
      top,
      bottom,
      first,
      last,
      unnamed: shared && plane === result,
    };
    return { ...box, cellWidth: box.width / (last - first), cellHeight: box.height / (bottom - top) };
  });
  return {
    boxes: /** @type {Filled<Box>} */ (placed),
    scale: fits,
    digits: digits * Math.max(1, fits),
    width,
    height: Math.max(height, above + own),
    narrow: width < NARROW,
  };
}

/**
 * How much of what stands before a position on an axis is titles, names and gaps, not planes.
 * @param {number} position @param {Arranged["boxes"]} boxes one after another along it @param {0 | 1} axis
 */
function textBefore(position, boxes, axis) {
  /** @type {Map<number, number>} */
  const sizes = new Map(); // by where they begin
  for (const { [axis]: begin, [axis + 2]: size } of boxes)
    if (begin < position) sizes.set(begin, Math.max(size, sizes.get(begin) ?? 0));
  return position - [...sizes.values()].reduce((sum, size) => sum + size, 0);
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
