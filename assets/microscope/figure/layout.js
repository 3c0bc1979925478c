const NARROW = 560; // CSS pixels, below which the design for a phone is taken
const DIGITS = 14, // pixels of the largest at scale 1
  READABLE = 0.9; // READABLE: of a phone, where the page is scrolled rather than numbers lost
const TITLE = 24; // pixels of the design above the names of columns (views/figures/arrange.py)
const UPRIGHT = 22; // and of names that are not slanted
const [RIGHT, DOWN] = /** @type {const} */ ([0, 1]); // axes of a box
const EDGE = 2; // pixels that a frame around a cell stands out
const PAGE = { smallest: 0.7, largest: 1.5, text: 0.85 },
  MOST_TEXT = 0.72; // of the height

/**
 * The boxes of a step's planes in CSS pixels, and the window of each axis that is in sight. All steps
 * get the height of the tallest, so that what is below does not move.
 * @param {Drawing} drawing @param {Drawing[]} all @param {number} width @param {number} tallest
 * @param {Windows} windows
 * @param {Scales} [scales]
 * @returns {Layout}
 */
export function layoutOf(drawing, all, width, tallest, windows, scales = PAGE) {
  const isNarrow = width < NARROW;
  /** @param {Drawing} one */
  const fitted = (one) => {
    const design = { ...(isNarrow ? one.narrow : one.wide), isProduct: one.layout === "product" },
      fits = fit(design, width, tallest, scales);
    const spares = (scales.text ?? 0) > PAGE.text && fits.scale < 1;
    return spares ? fit(namedOnce(design, one.planes), width, tallest, scales) : fits;
  };
  const { design, scale, text, height: own } = fitted(drawing),
    { boxes, isProduct, unnamed } = design,
    height = isNarrow ? own : Math.min(tallest, Math.max(...all.map((one) => fitted(one).height)));
  /** @param {Arranged["boxes"][number]} box */
  const right = ([x, y]) => x * scale + textBefore(x, lineOf(design, y), RIGHT) * (text - scale);
  const end = Math.max(...boxes.map((box) => right(box) + box[2] * scale)),
    rest = design.width - Math.max(...boxes.map(([x, , wide]) => x + wide));
  const left = Math.max(0, (width - end - rest * text) / 2),
    above = Math.max(0, (height - own) / 3);
  const first = drawing.planes[0],
    result = drawing.planes.at(-1);
  const shared = isNarrow && isProduct && first.rows.names === result.rows.names; // names that stand at the left already
  const placed = boxes.map((arranged, i) => {
    const [, y, w, h] = arranged,
      plane = drawing.planes[i],
      [top, bottom] = windowOf(plane.rows, windows),
      [first, last] = windowOf(plane.columns, windows);
    const box = {
      plane,
      x: left + right(arranged),
      y: above + y * scale + textBefore(y, boxes, DOWN) * (text - scale),
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
    text,
    digits: (scales.digits ?? DIGITS) * Math.max(1, scale),
    width,
    height: Math.max(height, above + own),
    narrow: isNarrow,
  };
}

/**
 * A design as large as it may be, with the scales of its planes and its text.
 * @param {Design} design @param {number} width @param {number} tallest @param {Scales} scales
 */
function fit(design, width, tallest, { smallest, largest, text: wanted = PAGE.text }) {
  const { boxes } = design,
    textHeight = textBefore(design.height, boxes, DOWN),
    least = Math.max(PAGE.text, Math.min(wanted, (MOST_TEXT * tallest) / textHeight));
  /** @param {number} room @param {number} size @param {number} text  how much of the size it takes */
  const scaleIn = (room, size, text) => Math.min(room / size, (room - text * least) / (size - text));
  const across = boxes.map(([, y]) => textBefore(design.width, lineOf(design, y), RIGHT)),
    scale = Math.min(
      scaleIn(width - 2 * EDGE, design.width, Math.max(...across)),
      Math.max(scaleIn(tallest, design.height, textHeight), width < NARROW ? READABLE : smallest),
      largest,
    ),
    text = Math.max(least, scale);
  return { design, scale, text, height: design.height * scale + textHeight * (text - scale) };
}

/**
 * The planes that stand together: of a product all, else those beside each other.
 * @param {Design} design @param {number} y
 */
const lineOf = ({ boxes, isProduct }, y) => (isProduct ? boxes : boxes.filter((one) => one[1] === y));

/** @param {Side} one @param {Side} other */
const isSame = (one, other) => one.role === other.role && one.names === other.names && one.size === other.size;

/**
 * The same planes closer together: names that the first plane of a line has, or the one above, do not stand again.
 * Half of the room for names at the left stays for titles.
 * @param {Design} design @param {Plane[]} planes
 * @returns {Design}
 */
function namedOnce(design, planes) {
  const { boxes, isProduct } = design,
    tops = [...new Set(boxes.map(([, y]) => y))],
    lines = boxes.map(([, y]) => tops.indexOf(y)),
    starts = lines.map((line) => lines.indexOf(line)),
    [indent] = boxes[0],
    head = Math.min(...tops) - TITLE;
  const aboves = isProduct ? [null, null, 1] : lines.map((line, i) => (line ? i - starts[i] : null));
  const unnamed = planes.map(({ rows, columns }, i) => {
    const above = aboves[i];
    return {
      rows: i > starts[i] && isSame(rows, planes[starts[i]].rows),
      columns: above !== null && isSame(columns, planes[above].columns),
    };
  });
  /** Of a line, the height that its names of columns would take. @param {number} line */
  const savedBy = (line) => {
    if (isProduct)
      return lines[2] === line && unnamed[2].columns && planes[0].columns.names === null ? head - UPRIGHT : 0;
    return unnamed.every(({ columns }, i) => lines[i] !== line || columns) ? head : 0;
  };
  const moved = boxes.map(([x, y, ...size], i) => {
    const unnamedHere = isProduct ? [unnamed[2]].slice(0, i) : unnamed.slice(starts[i], i + 1),
      left = (unnamedHere.filter(({ rows }) => rows).length * indent) / 2;
    const before = tops.map((top, line) => (top <= y ? savedBy(line) : 0));
    return /** @type {Arranged["boxes"][number]} */ ([x - left, y - sumOf(before), ...size]);
  });
  const lefts = tops.map((top) => Math.max(...boxes.map(([x, y], i) => (y === top ? x - moved[i][0] : 0))));
  return {
    ...design,
    boxes: moved,
    unnamed,
    width: design.width - Math.min(...lefts),
    height: design.height - sumOf(tops.map((_, line) => savedBy(line))),
  };
}

/** @param {number[]} numbers */
const sumOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

/**
 * How much of what stands before a position on an axis is titles, names and gaps, not planes.
 * @param {number} position @param {Arranged["boxes"]} boxes one after another along it @param {0 | 1} axis
 */
function textBefore(position, boxes, axis) {
  /** @type {Map<number, number>} */
  const sizes = new Map(); // by where they begin
  for (const { [axis]: begin, [axis + 2]: size } of boxes)
    if (begin < position) sizes.set(begin, Math.max(size, sizes.get(begin) ?? 0));
  return position - sumOf([...sizes.values()]);
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
