import { block } from "../engine/block.js";
import { memo } from "../engine/memo.js";
import { pixelsOf } from "../../shared/pixels.js";
import { levelOf, rampOf, rgb } from "../theme.js";
import { hiddenTokensOf, isHiddenCell } from "./hidden_tokens.js";

const SIDE = 128, // samples along a side of a tile
  MOST = 300, // tiles in memory
  OVERVIEW = 512; // samples along a side of the whole in one picture

/**
 * A square of a plane, of one sample for `step` × `step` cells: at first one of these, in the end the one that
 * stands out most. merged: how many were compared.
 * @typedef {{ top: number, left: number, step: number, values: Float32Array, hides: Uint8Array, merged: number,
 *   bitmap: HTMLCanvasElement | null }} Tile
 */

/** A large plane whose numbers are computed tile by tile, where they come into sight. */
export class Tiles {
  /** @type {Map<string, Tile>} */
  tiles = new Map();
  /** @type {Palette | null} */
  palette = null;

  /** @param {Trace} trace @param {Plane} plane @param {At} at */
  constructor(trace, plane, at) {
    this.trace = trace;
    this.plane = plane;
    this.at = at;
  }

  /**
   * Draws what is in sight, as far as it is computed until a time. Returns whether more is to come.
   * @param {Pen} pen @param {Box} box @param {number} bottom the first row that is not drawn
   * @param {Palette} palette @param {number} until
   */
  draw(pen, box, bottom, palette, until) {
    const cell = Math.min(box.cellWidth, box.cellHeight) * (devicePixelRatio || 1),
      step = 2 ** Math.max(0, Math.floor(Math.log2(1 / cell)));
    if (palette !== this.palette) for (const tile of this.tiles.values()) tile.bitmap = null;
    this.palette = palette;
    const shown = this.inSight(box, bottom, step);
    let isLate = this.tiles.size > 0 && performance.now() > until;
    for (const [top, left] of shown) {
      const tile = this.tiles.get(nameOf(top, left, step));
      if (!tile && isLate) this.drawCoarser(pen, box, bottom, top, left, step);
      else this.paint(pen, box, bottom, tile ?? this.tile(top, left, step));
      isLate ||= performance.now() > until;
    }
    const rough = shown.map(([top, left]) => this.tiles.get(nameOf(top, left, step)));
    for (const tile of rough) if (tile && !isLate) isLate = this.refine(tile, until);
    return rough.some((tile) => !tile?.bitmap || tile.merged < step * step); // or is to be drawn again
  }

  /**
   * The corners of the tiles in sight, by row.
   * @param {Box} box @param {number} bottom @param {number} step
   */
  inSight(box, bottom, step) {
    const size = SIDE * step,
      corners = [];
    for (let top = Math.floor(box.top / size) * size; top < bottom; top += size)
      for (let left = Math.floor(box.first / size) * size; left < box.last; left += size) corners.push([top, left]);
    return corners;
  }

  /** @param {number} top @param {number} left @param {number} step */
  tile(top, left, step) {
    const middle = step >> 1;
    return memo(
      this.tiles,
      nameOf(top, left, step),
      () => ({ top, left, step, ...this.samples(top, left, step, middle, middle), merged: 1, bitmap: null }),
      MOST,
    );
  }

  /**
   * One cell of each `step` × `step`; the last ones where the plane ends before.
   * @param {number} top @param {number} left @param {number} step @param {number} down @param {number} right
   */
  samples(top, left, step, down, right) {
    const { rows, columns } = this.plane;
    return this.numbers(positions(top, down, step, rows.size), positions(left, right, step, columns.size));
  }

  /** @param {Int32Array} down @param {Int32Array} right */
  numbers(down, right) {
    const { trace, plane, at } = this,
      { masked_by } = trace.stage(plane.stage);
    const window = {
      rows: { role: plane.rows.role, positions: down },
      columns: { role: plane.columns.role, positions: right },
      at,
    };
    const values = Float32Array.from(block(trace, plane.stage, window)),
      logits = masked_by ? block(trace, masked_by, window) : values;
    return { values, hides: Uint8Array.from(logits, (value) => (Number.isFinite(value) ? 0 : 1)) };
  }

  /**
   * Compares further cells with the samples of a tile. Returns whether the time is over.
   * @param {Tile} tile @param {number} until
   */
  refine(tile, until) {
    const { top, left, step, values, hides } = tile,
      cells = step * step,
      before = tile.merged;
    while (tile.merged < cells && performance.now() < until) {
      const i = tile.merged++ - 1, // all but the middle one, which came first
        at = i < (step >> 1) * (step + 1) ? i : i + 1,
        next = this.samples(top, left, step, Math.floor(at / step), at % step);
      for (let j = 0; j < values.length; j++) {
        if (next.hides[j] || (!hides[j] && Math.abs(next.values[j]) <= Math.abs(values[j]))) continue;
        values[j] = next.values[j];
        hides[j] = 0;
      }
    }
    if (tile.merged === cells && before < cells) tile.bitmap = null;
    return tile.merged < cells;
  }

  /**
   * Draws a part of a coarser tile in the place of one that is not computed.
   * @param {Pen} pen @param {Box} box @param {number} bottom @param {number} top @param {number} left
   * @param {number} step
   */
  drawCoarser(pen, box, bottom, top, left, step) {
    for (let wider = 2 * step; wider * SIDE < 2 * Math.max(this.plane.rows.size, this.plane.columns.size); wider *= 2) {
      const size = SIDE * wider,
        tile = this.tiles.get(nameOf(Math.floor(top / size) * size, Math.floor(left / size) * size, wider));
      if (!tile) continue;
      pen.save();
      pen.beginPath();
      const at = { x: box.x + (left - box.first) * box.cellWidth, y: box.y + (top - box.top) * box.cellHeight };
      pen.rect(at.x, at.y, SIDE * step * box.cellWidth, SIDE * step * box.cellHeight);
      pen.clip();
      this.paint(pen, box, bottom, tile);
      pen.restore();
      return;
    }
  }

  /**
   * The part of a tile that lies in the box.
   * @param {Pen} pen @param {Box} box @param {number} bottom @param {Tile} tile
   */
  paint(pen, box, bottom, tile) {
    const { top, left, step } = tile,
      { rows, columns } = this.plane,
      [first, last] = [Math.max(left, box.first), Math.min(left + SIDE * step, box.last, columns.size)],
      [high, low] = [Math.max(top, box.top), Math.min(top + SIDE * step, bottom, rows.size)];
    if (first >= last || high >= low) return;
    pen.imageSmoothingEnabled = box.cellWidth * step < 1 || box.cellHeight * step < 1;
    pen.drawImage(
      (tile.bitmap ??= this.bitmap(tile.values, tile.hides, tile)),
      (first - left) / step,
      (high - top) / step,
      (last - first) / step,
      (low - high) / step,
      box.x + (first - box.first) * box.cellWidth,
      box.y + (high - box.top) * box.cellHeight,
      (last - first) * box.cellWidth,
      (low - high) * box.cellHeight,
    );
  }

  /**
   * A picture of one pixel a sample.
   * @param {Float32Array} values @param {Uint8Array} hides
   * @param {{ top: number, left: number, step: number, wide?: number }} from wide: samples a row
   */
  bitmap(values, hides, { top, left, step, wide = sampled(left, step, this.plane.columns.size) }) {
    const { trace, plane } = this,
      palette = /** @type {Palette} */ (this.palette),
      { scale } = trace.stage(plane.stage);
    const [masked, line, card] = [palette.masked, palette.hatch, palette.card].map(rgb),
      ramp = rampOf(scale, palette),
      hidden = hiddenTokensOf(trace, plane);
    return pixelsOf(wide, values.length / wide, (i) => {
      const row = Math.floor(i / wide),
        column = i % wide;
      if (hidden.size && isHiddenCell(hidden, top + row * step, left + column * step)) return card;
      if (hides[i]) return (column + row) % 4 === 0 ? line : masked;
      return ramp[levelOf(scale, values[i])];
    });
  }

  /**
   * The whole plane as one picture of samples.
   * @param {Palette} palette
   */
  overview(palette) {
    const { rows, columns } = this.plane,
      step = Math.ceil(Math.max(rows.size, columns.size) / OVERVIEW);
    this.palette ??= palette;
    const [down, right] = [rows, columns].map(({ size }) =>
      Int32Array.from({ length: Math.ceil(size / step) }, (_, i) => Math.min(size - 1, i * step + (step >> 1))),
    );
    const { values, hides } = this.numbers(down, right);
    return this.bitmap(values, hides, { top: 0, left: 0, step, wide: right.length });
  }
}

/** @param {number} top @param {number} left @param {number} step */
const nameOf = (top, left, step) => `${step} ${top} ${left}`;

/**
 * How many samples of a tile there are along an axis.
 * @param {number} first @param {number} step @param {number} size
 */
const sampled = (first, step, size) => Math.min(SIDE, Math.ceil((size - first) / step));

/**
 * The positions of a tile's samples along an axis, each so many behind the first of its cells.
 * @param {number} first @param {number} behind @param {number} step @param {number} size
 */
function positions(first, behind, step, size) {
  return Int32Array.from({ length: sampled(first, step, size) }, (_, i) =>
    Math.min(size - 1, first + i * step + behind),
  );
}
