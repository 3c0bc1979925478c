import { digitSize } from "./cells.js";
import { nameOf } from "./labels.js";
import { cellBox } from "./layout.js";
import { shortened } from "../engine/names.js";
import { short } from "../engine/numbers.js";
import { lookOf } from "./look.js";
import { cellsOf } from "./planes.js";
import { paintsOf } from "../theme.js";
import { isHiddenCell, hiddenTokensOf } from "./hidden_tokens.js";

const AROUND = 2,
  WIDE = 58,
  HIGH = 24,
  TEXT = 12,
  LARGER = 1.6;

/**
 * A magnifier of the cells around the pointer, for cells too small for digits.
 * @param {CanvasPen} pen @param {Step} step @param {Hover} spot @param {boolean} isLarge
 */
export function drawLens(pen, step, spot, isLarge) {
  if (spot.column === null) return;
  const { trace, layout, palette } = step,
    box = layout.boxes[spot.plane],
    { plane } = box,
    cells = cellsOf(trace, plane, step.at);
  if (digitSize(step, box, cells)) return;
  const rows = around(spot.row, plane.rows.size),
    columns = around(spot.column, plane.columns.size);
  const grown = isLarge ? LARGER : 1,
    wide = WIDE * grown,
    high = HIGH * grown,
    head = 20 * grown;
  const width = columns.length * wide,
    height = rows.length * high + head + 2;
  const cell = cellBox(box, spot.row, spot.column);
  const x = beside(cell.x, cell.width, width, layout.width),
    y = beside(cell.y, cell.height, height, layout.height);
  pen.save();
  pen.shadowColor = "rgb(0 0 0 / .35)";
  pen.shadowBlur = 14;
  pen.fillStyle = palette.card;
  pen.beginPath();
  pen.roundRect(x - 6, y - 6, width + 12, height + 12, 8);
  pen.fill();
  pen.restore();
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.font = `${TEXT * grown}px ${pen.face}`;
  pen.fillStyle = palette.soft;
  const { rows: down, columns: right } = plane;
  const name = [
    ...(down.role ? [shortened(nameOf(trace, down, spot.row))] : []),
    ...(right.role ? [shortened(nameOf(trace, right, spot.column))] : []),
  ];
  pen.fillText(`${plane.stage}[${name.join(", ")}]`, x + 2, y + 8 * grown, width - 4);
  rows.forEach((row, i) =>
    columns.forEach((column, j) => {
      const box = { x: x + j * wide, y: y + head + i * high, width: wide, height: high };
      one(pen, step, plane, { row, column }, box, row === spot.row && column === spot.column);
    }),
  );
}

/**
 * @param {CanvasPen} pen @param {Step} step @param {Plane} plane @param {CellSpot} spot @param {Rectangle} rectangle
 * @param {boolean} chosen
 */
function one(pen, { trace, palette, at }, plane, { row, column }, { x, y, width, height }, chosen) {
  const { value, paint } = lookOf(trace, plane, at, row, column),
    isHidden = isHiddenCell(hiddenTokensOf(trace, plane), row, column);
  const { ground, digits } = isHidden
    ? { ground: palette.card, digits: palette.soft }
    : paintsOf(trace.stage(plane.stage).scale, palette)[paint];
  pen.fillStyle = ground;
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, width - 2, height - 2, 3);
  pen.fill();
  if (chosen) {
    pen.strokeStyle = palette.accent;
    pen.lineWidth = 2.5;
    pen.stroke();
  }
  pen.fillStyle = digits;
  pen.textAlign = "center";
  pen.fillText(short(value), x + width / 2, y + height / 2, width - 6);
}

/** @param {number} at @param {number} size */
function around(at, size) {
  const first = Math.max(0, Math.min(at - AROUND, size - 2 * AROUND - 1)),
    last = Math.min(size, first + 2 * AROUND + 1);
  return Array.from({ length: last - first }, (_, i) => first + i);
}

/**
 * The position after the cell if there is room, else before it.
 * @param {number} at @param {number} size @param {number} wanted @param {number} all
 */
function beside(at, size, wanted, all) {
  return at + size + 16 + wanted < all ? at + size + 16 : Math.max(8, at - wanted - 16);
}
