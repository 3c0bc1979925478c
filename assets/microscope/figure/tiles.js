import { make, penOf } from "../../shared/dom.js";
import { MASKED, rampOf, rgb } from "../theme.js";
import { hiddenTokensOf, isHiddenCell } from "./hidden_tokens.js";
import { SIDE, Tile, sampled } from "./tile.js";
import { TileMaker } from "./tile_maker.js";
import { cellsOf, nameOf } from "./tile_queue.js";

const MOST = 300; // tiles in memory

/** @typedef {Corner & { paints: Uint16Array, isFine: boolean, bitmap: HTMLCanvasElement | null }} ShownTile */

let count = 0; // of planes so far

/**
 * A large plane whose numbers are computed tile by tile, where they come into sight. A frame draws what has come so
 * far; `redraw` asks for another one once more has come. Without it, as for a picture to save, all is computed at once.
 */
export class Tiles {
  /** @type {Map<string, ShownTile>} */
  tiles = new Map();
  /** @type {{ name: string, cells: Cells } | null} */
  window = null;
  /** @type {Palette | null} */
  palette = null;
  /** @type {(() => void) | undefined} */
  redraw;
  id = count++;
  asked = "";

  /** @param {Trace} trace @param {Plane} plane @param {At} at */
  constructor(trace, plane, at) {
    this.trace = trace;
    this.plane = plane;
    this.at = at;
  }

  /**
   * Draws what is in sight. cells: whether their numbers are wanted, too.
   * @param {Pen} pen @param {Box} box @param {number} bottom the first row that is not drawn
   * @param {Palette} palette @param {(() => void) | undefined} redraw @param {boolean} cells
   */
  draw(pen, box, bottom, palette, redraw, cells) {
    const cell = Math.min(box.cellWidth, box.cellHeight) * (devicePixelRatio || 1),
      step = 2 ** Math.max(0, Math.floor(Math.log2(1 / cell)));
    const shown = this.inSight(box, bottom, step),
      whole = this.whole(palette);
    for (const corner of shown) {
      const tile = this.tiles.get(nameOf(corner)) ?? (redraw ? null : this.keep(corner, Infinity));
      if (tile) this.paint(pen, box, bottom, tile);
      else this.drawCoarser(pen, box, bottom, corner, whole);
    }
    if (redraw) this.ask(shown, cells ? box : null, redraw);
  }

  /**
   * The corners of the tiles in sight, by row.
   * @param {Box} box @param {number} bottom @param {number} step
   */
  inSight(box, bottom, step) {
    const size = SIDE * step,
      corners = [];
    for (let top = Math.floor(box.top / size) * size; top < bottom; top += size)
      for (let left = Math.floor(box.first / size) * size; left < box.last; left += size)
        corners.push({ top, left, step });
    return corners;
  }

  /**
   * A tile that is computed here and now, at least one cell of each sample.
   * @param {Corner} corner @param {number} until when it is no longer refined
   */
  keep(corner, until) {
    const tile = new Tile(this.trace, this.plane, this.at, corner);
    tile.refine(until);
    return this.put({ ...corner, paints: tile.paints, isFine: tile.isFine, bitmap: null });
  }

  /** @param {ShownTile} tile */
  put(tile) {
    if (this.tiles.size > MOST) this.tiles.clear();
    this.tiles.set(nameOf(tile), tile);
    return tile;
  }

  /**
   * The one tile that has all of the plane in it, which stands for what has not come yet.
   * @param {Palette} palette
   */
  whole(palette) {
    const { rows, columns } = this.plane,
      corner = { top: 0, left: 0, step: 2 ** Math.ceil(Math.log2(Math.max(rows.size, columns.size) / SIDE)) };
    if (palette !== this.palette) for (const tile of this.tiles.values()) tile.bitmap = null;
    this.palette = palette;
    return this.tiles.get(nameOf(corner)) ?? this.keep(corner, 0);
  }

  /**
   * The whole plane as one small picture.
   * @param {Palette} palette
   */
  overview(palette) {
    return this.bitmap(this.whole(palette));
  }

  /**
   * The numbers of the cells in sight; null if they have not come yet.
   * @param {CellWindow} box @param {(() => void) | undefined} redraw
   * @returns {Cells | null}
   */
  cellsIn(box, redraw) {
    const window = windowOf(box);
    if (this.window?.name === Object.values(window).join()) return this.window.cells;
    if (redraw) return null;
    return this.keepCells(cellsOf(this.trace, this.plane, this.at, window));
  }

  /** @param {{ paints: Uint16Array, cells: CellWindow & { numbers: Float64Array } }} found */
  keepCells({ paints, cells: { numbers, ...window } }) {
    const { top, first, last } = window,
      { size } = this.plane.columns;
    /** @type {{ numbers: number[], levels: number[], masked: number[] }} */
    const cells = { numbers: [], levels: [], masked: [] };
    paints.forEach((paint, position) => {
      const i = (top + Math.floor(position / (last - first))) * size + first + (position % (last - first));
      cells.numbers[i] = numbers[position];
      cells.masked[i] = paint === MASKED ? 1 : 0;
      cells.levels[i] = paint === MASKED ? 0 : paint;
    });
    this.window = { name: Object.values(window).join(), cells };
    return cells;
  }

  /**
   * Asks for what is not there or not fine yet, once.
   * @param {Corner[]} shown @param {CellWindow | null} box @param {() => void} redraw
   */
  ask(shown, box, redraw) {
    this.redraw = redraw;
    const { id, plane, at } = this,
      tiles = shown.flatMap((corner) => {
        const tile = this.tiles.get(nameOf(corner));
        return tile?.isFine ? [] : [{ ...corner, isThere: Boolean(tile) }];
      }),
      cells = box && this.trace.isExact ? windowOf(box) : null;
    const wanted = JSON.stringify([tiles.map(nameOf), cells]);
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.trace.maker ??= new TileMaker(this.trace);
    this.trace.maker.ask(this, { id, plane, at, tiles, cells });
  }

  askAgain() {
    this.asked = "";
    this.redraw?.();
  }

  /** @param {TileAnswer} answer */
  receive({ paints, tile, cells }) {
    if (tile) this.put({ ...tile, paints, bitmap: null });
    if (cells) this.keepCells({ paints, cells });
    this.redraw?.();
  }

  /**
   * Draws a part of a coarser tile in the place of one that has not come.
   * @param {Pen} pen @param {Box} box @param {number} bottom @param {Corner} corner @param {ShownTile} whole
   */
  drawCoarser(pen, box, bottom, { top, left, step }, whole) {
    let tile;
    for (let wider = 2 * step; !tile && wider < whole.step; wider *= 2) {
      const size = SIDE * wider;
      tile = this.tiles.get(
        nameOf({ top: Math.floor(top / size) * size, left: Math.floor(left / size) * size, step: wider }),
      );
    }
    pen.save();
    pen.beginPath();
    const at = { x: box.x + (left - box.first) * box.cellWidth, y: box.y + (top - box.top) * box.cellHeight };
    pen.rect(at.x, at.y, SIDE * step * box.cellWidth, SIDE * step * box.cellHeight);
    pen.clip();
    this.paint(pen, box, bottom, tile ?? whole);
    pen.restore();
  }

  /**
   * The part of a tile that lies in the box.
   * @param {Pen} pen @param {Box} box @param {number} bottom @param {ShownTile} tile
   */
  paint(pen, box, bottom, tile) {
    const { top, left, step } = tile,
      { rows, columns } = this.plane,
      [first, last] = [Math.max(left, box.first), Math.min(left + SIDE * step, box.last, columns.size)],
      [high, low] = [Math.max(top, box.top), Math.min(top + SIDE * step, bottom, rows.size)];
    if (first >= last || high >= low) return;
    pen.imageSmoothingEnabled = box.cellWidth * step < 1 || box.cellHeight * step < 1;
    pen.drawImage(
      this.bitmap(tile),
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
   * @param {ShownTile} tile
   */
  bitmap(tile) {
    if (tile.bitmap) return tile.bitmap;
    const { paints, top, left, step } = tile,
      { trace, plane } = this,
      palette = /** @type {Palette} */ (this.palette),
      wide = sampled(left, step, plane.columns.size),
      hidden = hiddenTokensOf(trace, plane);
    const [masked, line, card] = [palette.masked, palette.hatch, palette.card].map((colour) => pixel(rgb(colour))),
      ramp = rampOf(trace.stage(plane.stage).scale, palette).map(pixel);
    const canvas = Object.assign(make("canvas"), { width: wide, height: paints.length / wide }),
      pen = penOf(canvas),
      image = pen.createImageData(canvas.width, canvas.height),
      pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < paints.length; i++) {
      const row = Math.floor(i / wide),
        column = i % wide;
      if (hidden.size && isHiddenCell(hidden, top + row * step, left + column * step)) pixels[i] = card;
      else if (paints[i] === MASKED) pixels[i] = (column + row) % 4 === 0 ? line : masked;
      else pixels[i] = ramp[paints[i]];
    }
    pen.putImageData(image, 0, 0);
    return (tile.bitmap = canvas);
  }
}

/** @param {CellWindow} window */
const windowOf = ({ top, bottom, first, last }) => ({ top, bottom, first, last });

/**
 * The bytes of a pixel of image data as one number.
 * @param {Colour} colour
 */
const pixel = ([red, green, blue]) => new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0];
