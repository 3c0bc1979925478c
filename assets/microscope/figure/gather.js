import { drawPlane } from "./draw.js";
import { memo } from "../engine/memo.js";
import { dependsOn, resolve } from "../engine/rules.js";
import { counts, marked } from "./lit.js";
import { appear, between, ease, during, piece } from "./motion.js";

const ARRIVED = 0.7; // of the time; the rest is for what comes from where nothing is drawn
const MOST = 8; // steps whose pieces are remembered

/**
 * Animates copies: every piece of the result moves from its position in an operand.
 * @param {CanvasPen} pen @param {Step} step @param {Box[]} operands @param {Box} result @param {number} time
 */
export function gather(pen, step, operands, result, time) {
  const arrived = ease(during(time, 0, ARRIVED)),
    turned = during(time, ARRIVED, 1);
  pen.globalAlpha = 1 - turned;
  operands.forEach((box, i) => {
    for (const { from, to } of piecesOf(step, i, box.plane, result.plane))
      drawPlane(
        pen,
        step,
        between(piece(box, from), { ...piece(box, from), ...spaceOf(piece(result, to)) }, arrived),
        null,
      );
  });
  appear(pen, step, operands, result, turned);
}

/** @param {Rectangle} rectangle */
const spaceOf = ({ x, y, width, height }) => ({ x, y, width, height });

/**
 * Which cells of an operand's plane go where: runs of cells that stay side by side.
 * @param {Step} step @param {number} i @param {Plane} plane @param {Plane} result
 */
function piecesOf({ trace, at }, i, plane, result) {
  const name = [result.stage, i, ...Object.entries(at)].join();
  return memo(trace.pieces, name, () => piled(runsOf(trace, at, plane, result)), MOST);
}

/** @param {Trace} trace @param {At} at @param {Plane} plane @param {Plane} result */
function runsOf(trace, at, plane, result) {
  /** @type {Run[]} */
  const runs = [],
    fixed = plane.index.filter((part) => part !== plane.rows.role && part !== plane.columns.role);
  const byRow = fixed.filter((part) => !(dependsOn(part, result.rows.role, result.columns.role) & 2)),
    byCell = fixed.filter((part) => !byRow.includes(part));
  /** @param {Index[]} parts @param {At} position */
  const isDrawn = (parts, position) =>
    parts.every((part) => resolve(part, position, trace.read) === resolve(part, at, trace.read));
  for (let row = 0; row < result.rows.size; row++) {
    const position = { ...at, [result.rows.role]: row };
    if (!isDrawn(byRow, position)) continue;
    /** @type {Run | null} */
    let last = null;
    for (let column = 0; column < result.columns.size; column++) {
      position[result.columns.role] = column;
      if (!counts(trace, plane, position) || !isDrawn(byCell, position)) continue;
      const found = marked(trace, plane, position),
        from = { row: found.row ?? 0, column: found.column ?? 0 };
      if (
        last &&
        last.from.row === from.row &&
        last.from.column + last.from.columns === from.column &&
        last.to.column + last.to.columns === column
      )
        last.to.columns = ++last.from.columns;
      else runs.push((last = { from: { ...from, rows: 1, columns: 1 }, to: { row, column, rows: 1, columns: 1 } }));
    }
  }
  return runs;
}

/**
 * Merges runs that are one below another in both planes.
 * @param {Run[]} runs
 */
function piled(runs) {
  /** @type {Run[]} */
  const pieces = [];
  for (const run of runs) {
    const above = pieces.find(
      ({ from, to }) =>
        from.column === run.from.column &&
        from.columns === run.from.columns &&
        to.column === run.to.column &&
        from.row + from.rows === run.from.row &&
        to.row + to.rows === run.to.row,
    );
    if (above) above.to.rows = ++above.from.rows;
    else pieces.push(run);
  }
  return pieces;
}
