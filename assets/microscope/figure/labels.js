import { memo } from "../engine/memo.js";
import { shortened } from "../engine/names.js";
import { isPartner } from "../engine/rules.js";
import { partsOf } from "../words/symbols.js";
import { css, rampOf, partOf } from "../theme.js";

const LABEL = 13,
  SYMBOL = 17,
  SERIF = '"STIX Two Text", Cambria, "Times New Roman", "Noto Serif", serif';
const PATCHES = ["query", "key", "token", "patch"];
const COUNTED = ["patch", "cls", "special"]; // kinds of tokens of a picture
const SLANT = 0.87; // of the width of a slanted name, how high it stands: the sine of 60°
const MEASURED = 250; // names of an axis of which the longest is taken
const WORD = /^[a-z]{3}/, // a name in code that is no symbol, such as weights
  HAN = /\p{Script=Han}/u;
const NARROWEST = 150; // of a plane that has room for its symbol and its head, in pixels

/** @param {string} role @param {Palette} palette */
const colourOf = (role, palette) => palette.roles[role] ?? palette.soft;

/** @param {Trace} trace @param {{ names: number | null }} side @param {number} position */
export function nameOf(trace, side, position) {
  return side.names === null ? String(position + 1) : trace.names[side.names][position];
}

/**
 * The smallest of 1, 2, 5, 10, 20 … that is at least this.
 * @param {number} least
 */
function stepOf(least) {
  for (let power = 1; ; power *= 10) for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
}

/**
 * The names of rows, thinned to the room. bold: the rows whose names are always drawn.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {number[]} bold
 */
export function drawRowNames(pen, { trace, layout, palette, means }, box, bold) {
  const { x, y, top, bottom, cellHeight } = box,
    { rows } = box.plane;
  if (!rows.role) return;
  const size = labelSize(layout.textScale);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const position of thinned(top, bottom, (size + 2) / cellHeight, bold)) {
    style(pen, bold.includes(position) || means === rows.role, size, colourOf(rows.role, palette));
    const name = shortened(nameOf(trace, rows, position)),
      middle = y + (position - top + 0.5) * cellHeight;
    pen.fillText(name, x - 8, middle);
    const patch = patchAt(trace, rows.role, position);
    if (patch) drawPatch(pen, patch, x - 8 - pen.measureText(name).width - size - 3, middle - size / 2, size);
  }
}

/**
 * The names of columns, thinned to the room. bold: the columns whose names are always drawn.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {number[]} bold
 */
export function drawColumnNames(pen, { trace, layout, palette, means }, box, bold) {
  const { x, y, first, last, cellWidth } = box,
    { columns } = box.plane;
  if (!columns.role) return;
  const size = labelSize(layout.textScale),
    long = widest(pen, trace, columns, first, last, size);
  const leans = areSlanted(pen, trace, box, layout.scale),
    taken = leans ? size + 2 : long + 6;
  const room = layout.width - x - (last - first - 0.5) * cellWidth - size / 2,
    angle = Math.acos(Math.min(0.5, Math.max(0, room) / long)), // 60°, or steeper where the last name would leave the figure
    most = leans ? (SLANT * long) / Math.sin(angle) : undefined; // a steeper or bold name is set closer, below the title
  pen.textBaseline = leans ? "middle" : "bottom";
  pen.textAlign = leans ? "left" : "center";
  for (const position of thinned(first, last, taken / cellWidth, bold)) {
    style(pen, bold.includes(position) || means === columns.role, size, colourOf(columns.role, palette));
    pen.save();
    pen.translate(x + (position - first + 0.5) * cellWidth, y - 6);
    if (leans) pen.rotate(-angle);
    const name = shortened(nameOf(trace, columns, position)),
      patch = patchAt(trace, columns.role, position);
    if (patch) drawPatch(pen, patch, -(pen.measureText(name).width + size + 3) / 2, -size - 1, size);
    pen.fillText(name, patch ? (size + 3) / 2 : 0, 0, most);
    pen.restore();
  }
}

/**
 * The width of the longest visible name; cached until fonts are loaded.
 * @param {Pen} pen @param {Trace} trace @param {Side} side @param {number} first @param {number} last
 * @param {number} size
 */
function widest(pen, trace, side, first, last, size) {
  const name = [side.names, first, last, size, pen.face, document.fonts.status, Boolean(trace.photo)].join();
  return memo(trace.widths, name, () => {
    pen.font = `${size}px ${pen.face}`;
    const patch = side.role && patchAt(trace, side.role, last - 1) ? size + 3 : 0;
    return patch + Math.max(...visible(trace, side, first, last).map((text) => pen.measureText(text).width));
  });
}

/**
 * The width of the row names left of a plane, in pixels at scale 1.
 * @param {Pen} pen @param {Trace} trace @param {Side} rows
 */
export function namesWidth(pen, trace, rows) {
  return rows.role ? 10 + widest(pen, trace, rows, 0, rows.size, LABEL) : 0;
}

/**
 * The patch of a token, as a part of the photo; null if it has none.
 * @param {Trace} trace @param {string} role @param {number} position
 */
export function patchAt({ photo, before }, role, position) {
  if (!photo || !PATCHES.includes(role)) return null;
  const patch = role === "patch" ? position : position - (before ?? 0);
  return patch < 0 ? null : { ...photo, patch };
}

/** @param {Pen} pen @param {Photo & { patch: number }} given @param {number} x @param {number} y @param {number} size */
export function drawPatch(pen, { image, grid: [rows, columns], patch }, x, y, size) {
  const wide = image.naturalWidth / columns,
    high = image.naturalHeight / rows;
  pen.imageSmoothingEnabled = true;
  pen.drawImage(image, (patch % columns) * wide, Math.floor(patch / columns) * high, wide, high, x, y, size, size);
}

/**
 * Names between two positions; of very many some.
 * @param {Trace} trace @param {Side} side @param {number} first @param {number} last
 */
function visible(trace, side, first, last) {
  if (side.names === null) return [String(last)];
  const names = trace.names[side.names].slice(first, last),
    apart = Math.ceil(names.length / MEASURED);
  return names.filter((_, i) => i % apart === 0).map(shortened);
}

/**
 * Whether labels are consecutive numbers (after [CLS] and the like), of which only every tenth is drawn.
 * @param {Trace} trace @param {Side} side
 */
function isCounted(trace, side) {
  const kinds = [trace.kinds[side.kinds ?? -1] ?? ""].flat();
  return side.names === null || (kinds.includes("patch") && kinds.every((kind) => COUNTED.includes(kind)));
}

/** @param {number} textScale */
const labelSize = (textScale) => Math.max(11, Math.min(32, LABEL * textScale));

/**
 * Whether column names are slanted: where they are in the design, whose room they have. Larger ones are thinned.
 * @param {Pen} pen @param {Trace} trace @param {Box} box @param {number} scale
 */
const areSlanted = (pen, trace, { plane: { columns }, first, last, cellWidth }, scale) =>
  widest(pen, trace, columns, first, last, LABEL) + 6 > cellWidth / scale && !isCounted(trace, columns);

/**
 * Which of the indices from first to last are named: the bold ones, then every one, second, fifth, tenth …,
 * where there is room. width: of a name, in cells.
 * @param {number} first @param {number} last @param {number} width @param {number[]} bold
 */
export function thinned(first, last, width, bold) {
  const step = stepOf(width);
  /** @type {number[]} */
  const named = [];
  const add = (/** @type {number} */ index) => {
    if (named.every((other) => Math.abs(other - index) >= Math.max(1, width))) named.push(index);
  };
  bold.filter((index) => index >= first && index < last).forEach(add);
  for (let index = first; index < last; index += step) add(index);
  return named;
}

/** @param {Pen} pen @param {boolean} stands @param {number} size @param {string} colour */
function style(pen, stands, size, colour) {
  pen.font = `${stands ? 700 : 400} ${size}px ${pen.face}`;
  pen.fillStyle = colour;
}

/** @param {Pen} pen @param {Trace} trace @param {Box} box @param {Layout} layout */
const titleLine = (pen, trace, box, layout) => box.y - headHeight(pen, trace, box, layout) - 6 * layout.textScale;

/**
 * How far to the right a plane's title may reach: to the next plane, of which the title counts too.
 * @param {Pen} pen @param {Trace} trace @param {Box} box @param {Layout} layout
 */
function titleEnd(pen, trace, box, layout) {
  const y = titleLine(pen, trace, box, layout),
    size = SYMBOL * layout.textScale;
  /** @param {Box} one */
  const isBeside = (one) =>
    one.x > box.x && titleLine(pen, trace, one, layout) < y + size && one.y + one.height > y - size;
  const beside = layout.boxes.filter(isBeside).map((one) => titleStart(pen, trace, one, layout) - 6);
  return Math.min(box.x + box.width + 30 * layout.textScale, layout.width, ...beside);
}

/** The symbol of a plane. @param {Trace} trace @param {Plane} plane */
const symbolOf = (trace, plane) => [...trace.stage(plane.stage).name, ...(plane.transposed ? [["sup", "⊤"]] : [])];

/**
 * Where a title begins: at its plane, or before it where its symbol would leave the figure.
 * @param {Pen} pen @param {Trace} trace @param {Box} box @param {Layout} layout
 */
function titleStart(pen, trace, { plane, x }, { textScale, width }) {
  return Math.max(0, Math.min(x, width - drawSymbol(pen, symbolOf(trace, plane), 0, 0, textScale, false, null)));
}

/**
 * A symbol; without a colour it is only measured. Gives where it ends.
 * @param {Pen} pen @param {string[][]} symbol @param {number} at @param {number} y @param {number} scale
 * @param {boolean} stands @param {string | null} colour
 */
function drawSymbol(pen, symbol, at, y, scale, stands, colour) {
  for (const [tag, text] of symbol) {
    pen.font = `italic ${stands ? 700 : 400} ${(tag === "span" ? SYMBOL : 12) * scale}px ${SERIF}`;
    if (colour) pen.fillStyle = colour;
    if (colour) pen.fillText(text, at, y + ({ sup: -6, sub: 3 }[tag] ?? 0) * scale);
    at += pen.measureText(text).width + 1;
  }
  return at;
}

/**
 * The symbol of a plane, and the names of its sides with their sizes, or which head of many it is.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {number | null} head @param {boolean} stands
 */
export function drawTitle(pen, { trace, layout, palette }, box, head, stands) {
  const { scale, textScale } = layout,
    { plane } = box;
  const y = titleLine(pen, trace, box, layout),
    end = titleEnd(pen, trace, box, layout);
  const isNamed = head === null || box.width > NARROWEST * scale;
  let at = isNamed ? titleStart(pen, trace, box, layout) : box.x;
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  const { name, called } = trace.stage(plane.stage),
    size = Math.max(11, 12 * textScale);
  if (isNamed) at = drawSymbol(pen, symbolOf(trace, plane), at, y, textScale, stands, palette.ink);
  const planes = layout.boxes.map(({ plane }) => plane),
    inChinese = isNamed && WORD.test(name[0][1]) && HAN.test(called) ? ` ${called}` : "";
  if (drawSet(pen, inChinese, at, y, size, null) <= end) at = drawSet(pen, inChinese, at, y, size, palette.ink);
  if (isNamed && isPartner(trace, plane, planes))
    at = drawSet(pen, ` ${trace.words.partner}`, at, y, Math.max(11, 13 * textScale), palette.ink);
  const sides =
    head === null ? [plane.rows, plane.columns].filter((side) => side.role) : [{ role: "head", size: head + 1 }];
  const texts = sides.map((side) => trace.sized(side.role, side.size));
  if (isNamed && at + 8 + drawSet(pen, texts.join(" × "), 0, 0, size, null) > end) return;
  if (isNamed) at += 8;
  sides.forEach((side, i) => {
    for (const [text, colour] of [
      [i ? " × " : "", palette.soft],
      [texts[i], colourOf(side.role, palette)],
    ]) {
      at = drawSet(pen, text, at, y, size, colour);
    }
  });
}

/**
 * A text with its symbols set as mathematics; without a colour it is only measured. Gives where it ends.
 * @param {Pen} pen @param {string} text @param {number} x @param {number} y @param {number} size
 * @param {string | null} colour
 */
function drawSet(pen, text, x, y, size, colour) {
  for (const [tag, part] of partsOf(text)) {
    pen.font = tag === "span" ? `italic ${size * 1.1}px ${SERIF}` : `${tag ? size * 0.78 : size}px ${pen.face}`;
    if (colour) pen.fillStyle = colour;
    if (colour) pen.fillText(part, x, y + { "": 0, span: 0, sup: -0.4, sub: 0.22 }[tag] * size);
    x += pen.measureText(part).width;
  }
  return x;
}

/** @param {Pen} pen @param {Trace} trace @param {Box} box @param {{ scale: number, textScale: number }} layout */
export function headHeight(pen, trace, box, { scale, textScale }) {
  const { columns } = box.plane;
  if (!columns.role || box.unnamed?.columns) return 6;
  const size = labelSize(textScale);
  if (!areSlanted(pen, trace, box, scale)) return size + 8;
  return widest(pen, trace, columns, box.first, box.last, size) * SLANT + size;
}

const ROOM = 34, // pixels of the design between two numbers of a colour bar, in which a word stands
  LARGER = 1.5, // its type at most, where there is room beside it
  APART = 0.85, // its type at most, of the way from one to the next
  READ = 11; // its type at least, in pixels

/**
 * The colour bar beside the result, with the numbers at its ends.
 * @param {Pen} pen @param {Step} step @param {Box} box
 */
export function drawBar(pen, { trace, layout: { scale, textScale, width }, palette }, box) {
  const { words } = trace,
    { scale: values, ticks } = trace.stage(box.plane.stage);
  if (values.kind !== "share" && values.kind !== "signed") return;
  const ramp = rampOf(values, palette),
    x = box.x + box.width + 14 * scale,
    height = box.height;
  const ground = pen.createLinearGradient(0, box.y + height, 0, box.y);
  for (let i = 0; i <= 16; i++) ground.addColorStop(i / 16, css(ramp[Math.round((i / 16) * 255)]));
  pen.fillStyle = ground;
  pen.beginPath();
  pen.roundRect(x, box.y, 8 * Math.max(1, scale), height, 3);
  pen.fill();
  pen.fillStyle = palette.soft;
  const at = x + 8 * Math.max(1, scale) + 5,
    parts = values.ticks.map((tick) => partOf(values, tick)),
    marks = parts.map((part, i) => ({ text: ticks[i], part })),
    [first, second] = parts;
  if (values.root && (second - first) * height > ROOM * textScale)
    marks.splice(1, 0, { text: words.microscope.root, part: (first + second) / 2 });
  const size = Math.max(READ, 10 * textScale),
    roomOf = () => Math.min(...marks.slice(1).map(({ part }, i) => (part - marks[i].part) * height));
  if (APART * roomOf() < size) marks.splice(1, marks.length - 2); // of a low bar its ends are named
  const room = roomOf();
  pen.font = `${size}px ${pen.face}`;
  const widest = Math.max(...marks.map(({ text }) => pen.measureText(text).width)),
    fills = size * Math.max(1, Math.min(LARGER, (width - at) / widest));
  pen.font = `${Math.max(READ, Math.min(fills, APART * room))}px ${pen.face}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const { text, part } of marks) {
    const y = box.y + height * (1 - part); // part: of the height, from below
    pen.fillText(text, at, Math.min(box.y + height - 5, Math.max(box.y + 5, y)));
  }
}
