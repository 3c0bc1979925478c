import { Trace } from "../engine/trace.js";
import { TileQueue } from "./tile_queue.js";

const SLICE = 20; // milliseconds after which further wishes are heard

/** @type {TileQueue} */
let queue;

/**
 * scene: what blocks are computed from, at first.
 * @param {MessageEvent<{ scene?: Scene, ask?: TileAsk }>} event
 */
function receive({ data: { scene, ask } }) {
  if (scene) queue = new TileQueue(new Trace(scene), (answer) => postMessage(answer), SLICE);
  if (ask) queue.take(ask);
}

addEventListener("message", receive);
