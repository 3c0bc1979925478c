const NARROW = 560; // CSS pixels, below which the design for a phone is taken
const PAGE = { smallest: 0.7, largest: 1.5 },
  READABLE = 0.9; // READABLE: of a phone, where the page is scrolled rather than numbers lost
const EDGE = 2; // pixels that a frame around a cell stands out
const HEAD = 46; // what stands above the topmost plane, in pixels of the design; names do not shrink below what can be read

/**
 * The boxes of a step's planes in CSS pixels, and the window of each axis that is in sight. All steps
 * get the height of the tallest, so that what stands below keeps its place.
 * @param {Drawing} drawing @param {Drawing[]} all @param {number} width @param {number} tallest
 * @param {Windows} windows @param {{ smallest: number, largest: number }} [scales]
 * @returns {Layout}
 */
export function layoutOf(drawing, all, width, tallest, windows, { smallest, largest } = PAGE) {
  /** @param {Drawing} one */
  const of = (one) => (width < NARROW ? one.narrow : one.wide);
  /** @param {{ width: number, height: number }} one */
  const fit = (one) =>
    Math.min(
      (width - 2 * EDGE) / one.width,
      Math.max(
        Math.min(tallest / one.height, (tallest - HEAD) / (one.height - HEAD)),
        width < NARROW ? READABLE : smallest,
      ),
      largest,
    );
  const { boxes, ...design } = of(drawing),
    fits = fit(design);
  const height =
    width < NARROW
      ? design.height * fits
      : Math.min(tallest, Math.max(...all.map((one) => of(one).height * fit(of(one)))));
  const left = Math.max(0, (width - design.width * fits) / 2),
    above = Math.max(0, (height - design.height * fits) / 3, HEAD * (1 - fits));
  const first = drawing.planes[0],
    result = drawing.planes.at(-1);
  const shared = width < NARROW && drawing.layout === "product" && first.rows.names === result.rows.names; // names that stand at the left already
  const placed = boxes.map(([x, y, w, h], i) => {
    const plane = drawing.planes[i],
      [top, bottom] = windowOf(plane.rows, windows),
      [first, last] = windowOf(plane.columns, windows);
    const box = {
      plane,
      x: left + x * fits,
      y: above + y * fits,
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
    width,
    height: Math.max(height, above + design.height * fits),
    narrow: width < NARROW,
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
