import { pixelsOf } from "../../shared/pixels.js";
import { hatch } from "./hatch.js";
import { memo } from "../engine/memo.js";
import { printed } from "./planes.js";
import { MASKED, css, digitsOn, paintsOf, rampOf, rgb } from "../theme.js";
import { drawHiddenCell, isHiddenCell, hiddenTokensOf } from "./hidden_tokens.js";

export const SINGLE = 9; // pixels of a cell that is drawn by itself
const MOST_SINGLE = 2600; // how many are
const DIGITS_WIDTH = 30,
  DIGITS_HEIGHT = 16,
  SMALLEST = 9, // on the page, and
  LEGIBLE = 8; // by the scale of the text, on the wall

/**
 * The cells of a plane. ``lit``: { row, column } has bold numbers; null for none. Colours are those
 * of the values, lit or not. ``until``: how many are drawn, in reading order. A hidden cell shows its
 * number only where it is the one cell that is lit.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {Cells | TiledCells} cells
 * @param {Spot | null} lit @param {number} [until]
 */
export function drawCells(pen, step, box, cells, lit, until = Infinity) {
  const count = (box.bottom - box.top) * (box.last - box.first);
  const single = Math.min(box.cellWidth, box.cellHeight) >= SINGLE && count <= MOST_SINGLE;
  const found = single && "tiles" in cells ? cells.tiles.cellsIn(box, step.redraw) : cells;
  if (single && found && !("tiles" in found)) oneByOne(pen, step, box, found, lit, until);
  else picture(pen, step, box, cells, until, single);
}

/**
 * @param {Pen} pen @param {Step} step @param {Box} box @param {Cells} cells @param {Spot | null} lit
 * @param {number} until
 */
function oneByOne(pen, step, box, cells, lit, until) {
  let drawn = 0;
  const { trace, palette } = step,
    { plane } = box,
    { scale } = trace.stage(plane.stage),
    paints = paintsOf(scale, palette),
    size = digitSize(step, box, cells),
    gap = box.cellWidth >= 24 && box.cellHeight >= 18 ? 3 : 1,
    width = box.cellWidth - gap,
    height = box.cellHeight - gap;
  const quiet = quietRows(trace, plane),
    hidden = hiddenTokensOf(trace, plane);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  /** @param {number} x @param {number} y @param {number} i @param {string} colour @param {boolean} bold */
  const digits = (x, y, i, colour, bold) => {
    pen.font = `${bold ? 700 : 400} ${size}px ${pen.face}`;
    pen.fillStyle = colour;
    pen.fillText(printed(trace, plane, cells, i), x + width / 2, y + height / 2 + 0.5);
  };
  for (let row = box.top; row < box.bottom; row++) {
    for (let column = box.first; column < box.last; column++) {
      if (drawn++ >= until) return;
      const i = row * plane.columns.size + column,
        isLit = lit !== null && [row, null].includes(lit.row) && [column, null].includes(lit.column);
      const x = box.x + (column - box.first) * box.cellWidth + gap / 2,
        y = box.y + (row - box.top) * box.cellHeight + gap / 2;
      if (isHiddenCell(hidden, row, column)) {
        drawHiddenCell(pen, x, y, width, height, palette);
        if (size && lit?.row === row && lit.column === column) digits(x, y, i, palette.ink, true);
        continue;
      }
      const paint = paints[cells.masked[i] ? MASKED : cells.levels[i]];
      pen.fillStyle = paint.ground;
      if (gap === 3) {
        pen.beginPath();
        pen.roundRect(x, y, width, height, 4);
        pen.fill();
      } else pen.fillRect(x, y, width, height);
      if (cells.masked[i]) hatch(pen, x, y, width, height, palette.hatch);
      if (size && !quiet?.[row]) digits(x, y, i, paint.digits, isLit);
    }
  }
}

/**
 * The padded rows, which are drawn without numbers.
 * @param {Trace} trace @param {Plane} plane
 */
function quietRows(trace, plane) {
  return ["query", "token"].includes(plane.rows.role) ? trace.filled : null;
}

/** The width of a number by the size of its type: a point is half as wide as a digit. @param {string} text */
const widthOf = (text) => 0.52 * (text.length - (text.includes(".") ? 0.5 : 0));

/**
 * The size of digits that fit a cell, in pixels; 0 where it is too small for any.
 * @param {Step} step @param {Box} box @param {Cells | TiledCells} cells
 */
export function digitSize({ trace, layout: { digits, textScale } }, box, cells) {
  if ("tiles" in cells || !cells.numbers || box.cellWidth < DIGITS_WIDTH || box.cellHeight < DIGITS_HEIGHT) return 0;
  cells.widest ??= Math.max(...Array.from(cells.numbers, (_, i) => widthOf(printed(trace, box.plane, cells, i))));
  const size = Math.floor(Math.min(digits, (box.cellWidth - 5) / cells.widest, box.cellHeight * 0.72));
  return size >= Math.max(SMALLEST, LEGIBLE * textScale) ? size : 0;
}

/**
 * A cell without the gap around it.
 * @param {Rectangle} rectangle
 * @returns {[x: number, y: number, width: number, height: number]}
 */
export function inner({ x, y, width, height }) {
  const gap = width > 12 ? 1.5 : 0;
  return [x + gap, y + gap, width - 2 * gap, height - 2 * gap];
}

/**
 * A cell of an animation. size: of its number, 0 for none. isMasked: hatched.
 * @param {Pen} pen @param {Rectangle} rectangle
 * @param {{ colour: Colour, text: string, isMasked?: boolean }} face @param {number} size @param {Palette} palette
 */
export function drawFace(pen, rectangle, { colour, text, isMasked }, size, palette) {
  const { x, y, width, height } = rectangle;
  pen.fillStyle = css(colour);
  pen.fillRect(...inner(rectangle));
  if (isMasked && width > 8) hatch(pen, ...inner(rectangle), palette.hatch);
  if (!size) return;
  pen.fillStyle = isMasked ? palette.ink : digitsOn(colour);
  pen.font = `${size}px ${pen.face}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + width / 2, y + height / 2 + 0.5);
}

/**
 * Many small cells: a cached picture of one pixel per cell, scaled up, or tiles of it. single: whether the numbers of
 * tiles will be drawn once they have come.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {Cells | TiledCells} cells @param {number} until
 * @param {boolean} single
 */
function picture(pen, { trace, palette, redraw }, box, cells, until, single) {
  const bottom = Math.min(box.bottom, box.top + Math.ceil(until / (box.last - box.first)));
  if ("tiles" in cells) return cells.tiles.draw(pen, box, bottom, palette, redraw, single);
  const bitmap = bitmapOf(trace, box.plane, cells, palette),
    rows = bottom - box.top,
    columns = box.last - box.first;
  pen.imageSmoothingEnabled = box.cellWidth < 1 || box.cellHeight < 1;
  pen.drawImage(
    bitmap,
    box.first,
    box.top,
    columns,
    rows,
    box.x,
    box.y,
    columns * box.cellWidth,
    rows * box.cellHeight,
  );
}

/** @param {Trace} trace @param {Plane} plane @param {Cells | TiledCells} cells @param {Palette} palette */
export function bitmapOf(trace, plane, cells, palette) {
  if ("tiles" in cells) return cells.tiles.overview(palette);
  cells.bitmaps ??= new Map();
  return memo(cells.bitmaps, palette, () => {
    const [masked, line, card] = [palette.masked, palette.hatch, palette.card].map(rgb),
      ramp = rampOf(trace.stage(plane.stage).scale, palette),
      hidden = hiddenTokensOf(trace, plane);
    return pixelsOf(plane.columns.size, plane.rows.size, (i) => {
      const row = Math.floor(i / plane.columns.size),
        column = i % plane.columns.size;
      if (isHiddenCell(hidden, row, column)) return card;
      if (cells.masked[i]) return (column + row) % 4 === 0 ? line : masked;
      return ramp[cells.levels[i]];
    });
  });
}
