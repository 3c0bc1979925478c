import { lookOf } from "./look.js";
import { Tile } from "./tile.js";

/** Computes what is wanted of large planes, some milliseconds at a time: in a worker, or between two frames. */
export class TileQueue {
  /** @type {Map<number, TileAsk & { begun: Map<string, Tile> }>} */
  asks = new Map();
  timer = 0;

  /** @param {Trace} trace @param {(answer: TileAnswer) => void} answer @param {number} slice milliseconds */
  constructor(trace, answer, slice) {
    this.trace = trace;
    this.answer = answer;
    this.slice = slice;
  }

  /** @param {TileAsk} ask */
  take(ask) {
    const before = this.asks.get(ask.id)?.begun,
      begun = new Map();
    for (const corner of ask.tiles) {
      const tile = before?.get(nameOf(corner));
      if (tile) begun.set(nameOf(corner), tile);
    }
    this.asks.set(ask.id, { ...ask, begun });
    this.timer ||= setTimeout(() => this.work());
  }

  work() {
    this.timer = 0;
    const until = performance.now() + this.slice;
    while (performance.now() < until) if (!this.#next(until)) return;
    this.timer = setTimeout(() => this.work());
  }

  /**
   * The most urgent of what is wanted: a coarse tile, then numbers, then finer tiles. Returns whether there was any.
   * @param {number} until
   */
  #next(until) {
    const asks = [...this.asks.values()];
    for (const ask of asks)
      for (const corner of ask.tiles)
        if (!corner.isThere) {
          this.#send(ask, corner, this.#begun(ask, corner));
          return true;
        }
    for (const ask of asks)
      if (ask.cells) {
        const { id, plane, at, cells } = ask;
        ask.cells = null;
        this.answer({ id, ...cellsOf(this.trace, plane, at, cells) });
        return true;
      }
    for (const ask of asks)
      for (const corner of ask.tiles) {
        const tile = this.#begun(ask, corner);
        tile.refine(until);
        if (tile.isFine) this.#send(ask, corner, tile);
        return true;
      }
    return false;
  }

  /** @param {TileAsk & { begun: Map<string, Tile> }} ask @param {Corner} corner */
  #begun({ plane, at, begun }, corner) {
    const tile = begun.get(nameOf(corner)) ?? new Tile(this.trace, plane, at, corner);
    begun.set(nameOf(corner), tile);
    return tile;
  }

  /** @param {TileAsk} ask @param {Corner & { isThere: boolean }} corner @param {Tile} tile */
  #send(ask, corner, { corner: { top, left, step }, paints, isFine }) {
    corner.isThere = true;
    if (isFine) ask.tiles = ask.tiles.filter((one) => one !== corner);
    this.answer({ id: ask.id, paints, tile: { top, left, step, isFine } });
  }
}

/**
 * How cells are painted, and their numbers as they are printed.
 * @param {Trace} trace @param {Plane} plane @param {At} at @param {CellWindow} cells
 */
export function cellsOf(trace, plane, at, cells) {
  const { top, bottom, first, last } = cells,
    wide = last - first,
    size = (bottom - top) * wide;
  const looks = Array.from({ length: size }, (_, i) =>
    lookOf(trace, plane, at, top + Math.floor(i / wide), first + (i % wide)),
  );
  return {
    paints: Uint16Array.from(looks, ({ paint }) => paint),
    cells: { ...cells, numbers: Float64Array.from(looks, ({ value }) => value) },
  };
}

/** @param {Corner} corner */
export const nameOf = ({ top, left, step }) => `${step} ${top} ${left}`;
