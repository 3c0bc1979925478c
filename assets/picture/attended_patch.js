import { chosenQuery, looking, weightsOf } from "../microscope/engine/attended.js";
import { filled } from "../microscope/engine/names.js";
import { plain } from "../microscope/engine/numbers.js";
import { nameOf as tokenOf } from "../vision/query.js";

/** @import { TokenNames } from "../vision/query.js" */

/**
 * @typedef {[rows: number, columns: number]} Grid
 * @typedef {{
 *   photo: string, checksum: number, size: [width: number, height: number], grid: Grid, label: string,
 *   caption: string, chosen: number | null, weights: string | null, largest: number | null, root: boolean,
 *   stops: string[], printed: string, lends: boolean, live: boolean, choosable: boolean, near: boolean, asks: boolean, opens: boolean, from_cls: string,
 *   titled?: boolean, head?: number, names?: TokenNames, specials: string[],
 *   rows?: string | null, tokens?: number | null,
 * }} Picture
 * @typedef {Omit<Picture, "weights" | "rows"> & { weights: Float32Array | null, rows: Float32Array | null }} Sent
 * @typedef {Omit<Sent, "chosen" | "largest"> & {
 *   chosen: number, largest: number, from: number, attended: number | null, ofSpecials?: Float32Array,
 * }} Shown
 */

const CLS = -1; // in place of a patch: the last token in front of the patches; the one before it −2, and so on

/**
 * The first token in front of the patches.
 * @param {{ specials: string[] }} sent
 */
const firstOf = ({ specials }) => Math.min(CLS, -specials.length);

/** @param {Sent} sent @param {Partial<Shown>} looked @returns {Shown} */
export function shownOf(sent, looked) {
  const from = sent.chosen ?? firstOf(sent),
    shown = { ...sent, largest: sent.largest ?? 0, chosen: from, from, attended: null, ...looked };
  return { ...shown, ...scaleOf(sent, shown), label: titleOf(shown) };
}

/**
 * Where no scale was sent, the light runs to the largest weight of the row itself.
 * @param {Sent} sent @param {Shown} shown @returns {Partial<Shown>}
 */
function scaleOf({ largest }, shown) {
  if (!shown.weights || largest !== null) return {};
  const own = Math.max(...shown.weights);
  return { largest: own, printed: printed(shown, own) };
}

/**
 * Whether the microscope shows the patches of this very photo, by whatever name.
 * @param {Store} store @param {Sent} sent
 */
export function isSeen(store, { checksum, grid: [rows, columns] }) {
  if (!store.isReady || !isOfPatches(store)) return false;
  const { trace } = store;
  return trace.photo_checksum === checksum && trace.size("X", "token") - (trace.before ?? 0) === rows * columns;
}

/** @param {Store} store */
const isOfPatches = ({ trace }) => trace.before !== null && Boolean(trace.stage("X"));

/**
 * The microscope that is to be followed: rows that were sent along are of this photo, whatever it is just about to show.
 * @param {{ store: Store | null, sent: Sent }} view
 */
export function followed({ store, sent }) {
  if (!store) return null;
  return (sent.rows ? store.isReady && isOfPatches(store) : isSeen(store, sent)) ? store : null;
}

/**
 * A patch is the token that it became; a token without one, such as [CLS], looks from the whole photo.
 * A light that is not of the row looked at stays with the patch that it was sent for.
 * @param {Store} store @param {Sent} sent @returns {Partial<Shown>}
 */
export function lookedAt(store, sent) {
  const before = store.trace.before ?? 0,
    { query, key } = looking(store);
  /** @param {number} token */
  const patch = (token) => token - before;
  if (sent.near) return { chosen: store.positions.patch ?? sent.chosen ?? CLS };
  const row = rowOf(store, sent, query),
    attended = key === null ? null : patch(key);
  if (sent.weights && !row) return { attended };
  const from = { chosen: patch(query), from: patch(chosenQuery(store)), head: store.head };
  const [ofSpecials, weights] = row
    ? [row.subarray(0, before), row.subarray(before)].map((part) => Float32Array.from(part))
    : [];
  return { ...from, attended, weights: weights ?? null, ofSpecials };
}

/**
 * Of every row of the look, one after another, or of the head that is open in the microscope.
 * @param {Store} store @param {Sent} sent @param {number} query
 */
function rowOf(store, { rows, tokens, live, weights }, query) {
  if (!weights) return null;
  if (!rows || !tokens) return live && store.trace.stage("weights") ? weightsOf(store, query) : null;
  const head = rows.length > tokens ** 2 ? store.head : 0;
  return rows.subarray((head * tokens + query) * tokens, (head * tokens + query + 1) * tokens);
}

/**
 * Who looks, and by which head.
 * @param {Shown} shown
 */
function titleOf({ label, names, from, head = 0 }) {
  return names ? filled(label, { query: tokenOf(names, from + names.specials.length), head: String(head + 1) }) : label;
}

/**
 * An even share, 1 / n, shows two digits.
 * @param {Shown} shown @param {number} weight
 */
export const printed = ({ grid: [rows, columns] }, weight) => plain(weight, 1 + Math.ceil(Math.log10(rows * columns)));
