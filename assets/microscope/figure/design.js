/** What views/figures/arrange.py has designed for a step, and how large it is drawn. */

export const RIGHT = 0; // axes of a box
export const DOWN = 1;
export const PAGE = { smallest: 0.7, largest: 1.5, textScale: 0.85 };

const NARROW = 560, // CSS pixels, below which the design for a phone is taken
  READABLE = 0.9; // the smallest scale on a phone, where the page is scrolled rather than numbers lost
const TITLE = 24, // pixels of the design above the names of columns,
  UPRIGHT = 22; // and of names that are not slanted
const MOST_TEXT = 0.72; // of the height: matrices need some, too
const EDGE = 2; // pixels that a frame around a cell stands out

/** @param {number} width */
export const isNarrow = (width) => width < NARROW;

/**
 * A design as large as it may be, with the scales of its planes and its text.
 * @param {Design} design @param {number} width @param {number} tallest @param {Scales} scales
 */
export function fit(design, width, tallest, { smallest, largest, textScale: wanted = PAGE.textScale }) {
  const { boxes } = design,
    textHeight = textBefore(design.height, boxes, DOWN),
    least = Math.max(PAGE.textScale, Math.min(wanted, (MOST_TEXT * tallest) / textHeight));
  /** @param {number} room @param {number} size @param {number} text  how much of the size it takes */
  const scaleIn = (room, size, text) => Math.min(room / size, (room - text * least) / (size - text));
  const across = boxes.map(([, y]) => textBefore(design.width, lineOf(design, y), RIGHT)),
    scale = Math.min(
      scaleIn(width - 2 * EDGE, design.width, Math.max(...across)),
      Math.max(scaleIn(tallest, design.height, textHeight), isNarrow(width) ? READABLE : smallest),
      largest,
    ),
    textScale = Math.max(least, scale);
  return { design, scale, textScale, height: design.height * scale + textHeight * (textScale - scale) };
}

/**
 * The planes that stand together: of a product all, else those beside each other.
 * @param {Design} design @param {number} y
 */
export const lineOf = ({ boxes, isProduct }, y) => (isProduct ? boxes : boxes.filter((one) => one[1] === y));

/** @param {Side} one @param {Side} other */
const isSame = (one, other) => one.role === other.role && one.names === other.names && one.size === other.size;

/**
 * The same planes closer together: names that the first plane of a line has, or the one above, do not stand again.
 * Half of the room for names at the left stays for titles.
 * @param {Design} design @param {Plane[]} planes
 * @returns {Design}
 */
export function namedOnce(design, planes) {
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
export function textBefore(position, boxes, axis) {
  /** @type {Map<number, number>} */
  const sizes = new Map(); // by where they begin
  for (const { [axis]: begin, [axis + 2]: size } of boxes)
    if (begin < position) sizes.set(begin, Math.max(size, sizes.get(begin) ?? 0));
  return position - sumOf([...sizes.values()]);
}
