import { TileQueue } from "./tile_queue.js";

const SLICE = 8; // milliseconds between two frames

/**
 * Where the tiles of a trace are computed: in a worker, or where a page may not make one, by the same code between the
 * frames of the page.
 */
export class TileMaker {
  /** @type {Map<number, Tiles>} */
  #tiles = new Map();
  /** @type {Worker | null} */
  #worker = null;
  /** @type {TileQueue | null} */
  #queue = null;

  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    if (typeof Worker === "undefined") return;
    this.#worker = new Worker(new URL("./tile_worker.js", import.meta.url));
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = () => {
      this.#worker = null; // a page whose policy forbids workers says so only now
      for (const tiles of this.#tiles.values()) tiles.askAgain();
    };
    this.#worker.postMessage({ scene: partOf(trace) });
  }

  /** @param {Tiles} tiles @param {TileAsk} ask */
  ask(tiles, ask) {
    this.#tiles.set(ask.id, tiles);
    if (this.#worker) return this.#worker.postMessage({ ask });
    this.#queue ??= new TileQueue(this.trace, (answer) => this.#receive(answer), SLICE);
    this.#queue.take(ask);
  }

  /** @param {TileAnswer} answer */
  #receive(answer) {
    this.#tiles.get(answer.id)?.receive(answer);
  }

  /** Ends the worker; another one begins where tiles of this trace are wanted again. */
  close() {
    this.#worker?.terminate();
    this.trace.maker = null;
    for (const tiles of this.#tiles.values()) tiles.asked = "";
  }
}

/**
 * What blocks of numbers are computed from.
 * @param {Trace} trace
 */
function partOf({ stages, stored, arrays, head, heads, sample }) {
  const used = Object.entries(stages).map(([key, { roles, shape, type, rule, scale, masked_by }]) => [
    key,
    { roles, shape, type, rule, scale, masked_by },
  ]);
  const numbers = Object.entries(arrays).filter(([name]) => !name.endsWith(".thumbnails"));
  return { stages: Object.fromEntries(used), stored, arrays: Object.fromEntries(numbers), head, heads, sample };
}
