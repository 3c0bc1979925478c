import { pointed } from "./focus.js";
import { cellsOf } from "./planes.js";
import { placeOf, store } from "./store.js";

const QUERIES = ["query", "token"], KEYS = ["key"];

// Which token looks, and at which: those of the pointed cell, or the chosen ones.
export function looking() {
  const { trace, stage, hover } = store, drawing = trace.drawing(stage);
  const found = { query: placeOf("weights", "query"), key: placeOf("weights", "key"), pointed: false };
  if (!hover || !drawing) return found;
  const { rows, columns } = drawing.planes[hover.plane];
  if (rows.role === "patch") Object.assign(found, { query: hover.row + trace.before, key: null, pointed: true });
  if (QUERIES.includes(rows.role)) Object.assign(found, { query: hover.row, key: null, pointed: true });
  if (KEYS.includes(rows.role)) Object.assign(found, { key: hover.row, pointed: true });
  if (KEYS.includes(columns.role) && hover.column !== null) found.key = hover.column;
  return found;
}

// The weights of one query in the chosen head; null where they have not come.
export function weightsOf(query) {
  const { trace, head } = store, plane = trace.drawing("weights")?.planes.at(-1);
  if (!plane || (trace.head !== null && trace.head !== head)) return null;
  const { numbers } = cellsOf(trace, plane, { ...pointed({ ...store, hover: null }), batch: trace.sample, head });
  return numbers && numbers.subarray(query * plane.columns.size, (query + 1) * plane.columns.size);
}
