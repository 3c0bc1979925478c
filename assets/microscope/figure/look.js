import { resolve } from "../engine/rules.js";
import { MASKED, levelOf } from "../theme.js";

/**
 * How a cell is painted, an index of `paintsOf`, and its number.
 * @param {Trace} trace @param {Plane} plane @param {At} at @param {number} row @param {number} column
 */
export function lookOf(trace, plane, at, row, column) {
  const { scale, masked_by } = trace.stage(plane.stage),
    index = indexAt(trace, plane, at, row, column),
    value = trace.value(plane.stage, index);
  const isMasked = !Number.isFinite(masked_by ? trace.value(masked_by, index) : value);
  return { value, paint: isMasked ? MASKED : levelOf(scale, value) };
}

/**
 * The index of a cell of a plane, even if only its colour was sent.
 * @param {Trace} trace @param {Plane} plane @param {At} at @param {number} row @param {number} column
 */
export function indexAt(trace, plane, at, row, column) {
  const position = { ...at, [plane.rows.role]: row, [plane.columns.role]: column };
  return plane.index.map((part) => resolve(part, position, trace.read));
}
