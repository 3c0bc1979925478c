import { block } from "../engine/block.js";
import { MASKED, levelOf } from "../theme.js";

export const SIDE = 128; // samples along a side of a tile

/**
 * A square of a large plane, of one sample for `step` × `step` cells: at first one of these, in the end the one that
 * stands out most. Nothing here needs a page, so that a worker can compute it.
 */
export class Tile {
  merged = 1; // how many cells have been compared for each sample

  /** @param {Trace} trace @param {Plane} plane @param {At} at @param {Corner} corner */
  constructor(trace, plane, at, corner) {
    this.trace = trace;
    this.plane = plane;
    this.at = at;
    this.corner = corner;
    const middle = corner.step >> 1;
    this.samples = this.#numbers(middle, middle);
  }

  get isFine() {
    return this.merged === this.corner.step ** 2;
  }

  /** How the samples are painted, row by row: indices of `paintsOf`. */
  get paints() {
    const { scale } = this.trace.stage(this.plane.stage),
      { values, hides } = this.samples;
    return Uint16Array.from(values, (value, i) => (hides[i] ? MASKED : levelOf(scale, value)));
  }

  /**
   * One cell of each `step` × `step`; the last ones where the plane ends before.
   * @param {number} down @param {number} right
   */
  #numbers(down, right) {
    const { trace, plane, at, corner } = this,
      { rows, columns, stage } = plane,
      { masked_by } = trace.stage(stage);
    const window = {
      rows: { role: rows.role, positions: positions(corner.top, down, corner.step, rows.size) },
      columns: { role: columns.role, positions: positions(corner.left, right, corner.step, columns.size) },
      at,
    };
    const values = Float32Array.from(block(trace, stage, window)),
      logits = masked_by ? block(trace, masked_by, window) : values;
    return { values, hides: Uint8Array.from(logits, (value) => (Number.isFinite(value) ? 0 : 1)) };
  }

  /**
   * Compares further cells with the samples, until a time.
   * @param {number} until
   */
  refine(until) {
    const { step } = this.corner,
      { values, hides } = this.samples;
    while (!this.isFine && performance.now() < until) {
      const i = this.merged++ - 1, // all but the middle one, which came first
        at = i < (step >> 1) * (step + 1) ? i : i + 1,
        next = this.#numbers(Math.floor(at / step), at % step);
      for (let j = 0; j < values.length; j++) {
        if (next.hides[j] || (!hides[j] && Math.abs(next.values[j]) <= Math.abs(values[j]))) continue;
        values[j] = next.values[j];
        hides[j] = 0;
      }
    }
  }
}

/**
 * How many samples of a tile there are along an axis.
 * @param {number} first @param {number} step @param {number} size
 */
export const sampled = (first, step, size) => Math.min(SIDE, Math.ceil((size - first) / step));

/**
 * The positions of a tile's samples along an axis, each so many behind the first of its cells.
 * @param {number} first @param {number} behind @param {number} step @param {number} size
 */
function positions(first, behind, step, size) {
  return Int32Array.from({ length: sampled(first, step, size) }, (_, i) =>
    Math.min(size - 1, first + i * step + behind),
  );
}
