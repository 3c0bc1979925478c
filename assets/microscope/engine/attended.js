import { range } from "./rules.js";
import { isWaiting } from "./trace.js";

const QUERIES = ["query", "token"],
  KEYS = ["key"];

/**
 * The chosen query; in a part without queries, the one chosen last.
 * @param {Store} store
 */
export function chosenQuery(store) {
  if (store.trace.stage("weights")) return store.positionOf("weights", "query");
  return Math.min(store.positions.query ?? 0, store.trace.size("X", "token") - 1);
}

/**
 * The query and the key of the pointed cell, or the chosen ones.
 * @param {Store} store
 */
export function looking(store) {
  const { trace, stage, hover } = store,
    drawing = trace.drawing(stage);
  const key = trace.stage("weights") ? store.positionOf("weights", "key") : null;
  const found = { query: chosenQuery(store), key, pointed: false };
  if (!hover || !drawing) return found;
  const { rows, columns } = drawing.planes[hover.plane];
  if (rows.role === "patch") Object.assign(found, { query: hover.row + (trace.before ?? 0), key: null, pointed: true });
  if (QUERIES.includes(rows.role)) Object.assign(found, { query: hover.row, key: null, pointed: true });
  if (KEYS.includes(rows.role)) Object.assign(found, { key: hover.row, pointed: true });
  if (KEYS.includes(columns.role) && hover.column !== null) found.key = hover.column;
  return found;
}

/**
 * The weights of one query in the chosen head; null if they are not loaded.
 * @param {Store} store @param {number} query
 */
export function weightsOf(store, query) {
  const { trace, head } = store;
  if (!trace.drawing("weights") || (trace.head !== null && trace.head !== head)) return null;
  const keys = trace.size("weights", "key");
  /** @type {AtMany} */
  const at = { ...store.pointed({ hover: null }), head, query, key: range(keys) };
  let found = null;
  isWaiting(() => {
    found = trace.numbers(
      "weights",
      trace.stage("weights").roles.map((role) => at[role]),
      keys,
    );
  });
  return /** @type {Float64Array | null} */ (found);
}
