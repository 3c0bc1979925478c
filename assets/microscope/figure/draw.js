import { drawCells } from "./cells.js";
import { dependsOn, resolve } from "../engine/rules.js";
import { drawBar, drawColumnNames, drawRowNames, drawTitle } from "./labels.js";
import { cellBox } from "./layout.js";
import { cellsOf } from "./planes.js";

const THIN = 8;

/**
 * Draws a whole step. ``lit`` has what belongs to the pointed cell, see lit.js; null where none is pointed
 * at. ``rest`` has the chosen cell's marks. ``means`` is the symbol of the formula that is pointed at.
 * @param {Pen} pen @param {Step} step
 */
export function drawStep(pen, step) {
  const { layout, lit, rest, palette, means, trace } = step,
    last = layout.boxes.length - 1;
  layout.boxes.forEach((box, i) => {
    const isResult = i === last;
    drawNames(pen, step, box, lit ? [lit[i], rest[i]] : [rest[i]]);
    drawPlane(pen, step, box, lit?.[i] ?? null);
    frame(pen, box, rest[i], lit ? palette.soft : palette.accent, isResult);
    if (lit) frame(pen, box, lit[i], palette.accent, isResult);
    if (isMeant(trace, box.plane, means)) outline(pen, box, palette.accent);
    if (isResult && !layout.narrow && !box.hides) drawBar(pen, step, box);
  });
}

/**
 * The title of a plane and the names of its rows and columns. spots: the cells whose names are always
 * drawn, in bold; where there is room for one only, that of the first.
 * @param {Pen} pen @param {Step} step @param {Box} box @param {(Spot | undefined)[]} spots
 */
export function drawNames(pen, step, box, spots) {
  const { trace, layout, means, at } = step;
  drawTitle(pen, step, box, headOf(trace, box.plane, layout.boxes.at(-1).plane, at), isMeant(trace, box.plane, means));
  if (!box.unnamed?.rows) drawRowNames(pen, step, box, indicesOf(spots, "row"));
  if (!box.unnamed?.columns) drawColumnNames(pen, step, box, indicesOf(spots, "column"));
}

/** @param {(Spot | undefined)[]} spots @param {"row" | "column"} side */
function indicesOf(spots, side) {
  return spots.map((spot) => spot?.[side] ?? null).filter((index) => index !== null);
}

/**
 * Which of the heads that the result joins stands here; null where it is all of them, or none.
 * @param {Trace} trace @param {Plane} plane @param {Plane} result @param {At} at
 */
function headOf(trace, { stage, head, index, rows, columns }, result, at) {
  const axis = trace.stage(stage).roles.indexOf("head");
  if (
    head !== null ||
    axis < 0 ||
    trace.stage(result.stage).roles.includes("head") ||
    dependsOn(index[axis], rows.role, columns.role)
  )
    return head;
  return resolve(index[axis], at, trace.read);
}

/** @param {Pen} pen @param {Step} step @param {Box} box @param {Spot | null} lit @param {number} [until] */
export function drawPlane(pen, step, box, lit, until) {
  if (box.hides) return drawHidden(pen, box, step.palette);
  drawCells(pen, step, box, cellsOf(step.trace, box.plane, step.at), lit, until);
}

/**
 * A hidden result: neither numbers nor colours.
 * @param {Pen} pen @param {Box} box @param {Palette} palette
 */
function drawHidden(pen, { x, y, width, height }, { ground, line, soft }) {
  pen.fillStyle = ground;
  pen.strokeStyle = line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 4);
  pen.fill();
  pen.stroke();
  pen.fillStyle = soft;
  pen.font = `600 ${Math.max(16, Math.min(width, height) / 3)}px ${pen.face}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText("?", x + width / 2, y + height / 2);
}

/**
 * Whether a plane belongs to the pointed symbol; all masks have one symbol.
 * @param {Trace} trace @param {Plane} plane @param {string | null} means
 */
function isMeant(trace, { stage }, means) {
  return means === stage || (means === "mask" && trace.stage(stage).type === "b1");
}

/**
 * Around the row, column or cell; around it, not over it, where it is thin.
 * @param {Pen} pen @param {Box} box @param {Spot | null | undefined} spot @param {string} colour
 * @param {boolean} isResult
 */
export function frame(pen, box, spot, colour, isResult) {
  if (!spot || (spot.row === null && spot.column === null)) return;
  const thin = Math.min(box.cellWidth, box.cellHeight) < THIN,
    pad = thin ? 1.5 : 0;
  const row = spot.row ?? box.top,
    column = spot.column ?? box.first;
  if (row < box.top || row >= box.bottom || column < box.first || column >= box.last) return;
  const { x, y, width, height } = partBox(box, spot);
  pen.strokeStyle = colour;
  pen.lineWidth = thin ? 1.5 : isResult ? 3 : 2;
  pen.beginPath();
  pen.roundRect(
    x - (spot.column === null ? 0 : pad),
    y - (spot.row === null ? 0 : pad),
    width + (spot.column === null ? 0 : 2 * pad),
    height + (spot.row === null ? 0 : 2 * pad),
    thin ? 0 : 4,
  );
  pen.stroke();
}

/**
 * The rectangle of a row, column or cell of a plane.
 * @param {Box} box @param {Spot} spot
 */
export function partBox(box, { row, column }) {
  const cell = cellBox(box, row ?? box.top, column ?? box.first);
  return {
    x: cell.x,
    y: cell.y,
    width: column === null ? box.width : cell.width,
    height: row === null ? box.height : cell.height,
  };
}

/** @param {Pen} pen @param {Box} box @param {string} colour */
function outline(pen, box, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.setLineDash([5, 4]);
  pen.strokeRect(box.x - 5, box.y - 5, box.width + 10, box.height + 10);
  pen.setLineDash([]);
}
