import { indexAt } from "./planes.js";
import { drawnRoles, placeOf, store } from "./store.js";

// The chosen row and column of the step.
export function restOf() {
  const [row, column] = drawnRoles(store.stage);
  return { row: row ? placeOf(store.stage, row) : 0, column: column ? placeOf(store.stage, column) : 0 };
}

// A place for every role that the step's planes may be held at: those of the pointed cell first.
export function pointed({ trace, stage, head, places, hover, previewed = null }) {
  const planes = trace.drawing(stage)?.planes ?? [], result = planes.at(-1);
  const at = { ...places, batch: trace.sample, head };
  for (const role of trace.stage(stage).roles) at[role] = placeOf(stage, role);
  if (previewed !== null && trace.head === null) at.head = previewed;
  if (hover && result && hover.plane === planes.length - 1) {
    if (result.rows.role) at[result.rows.role] = hover.row;
    if (hover.column !== null) at[result.columns.role] = hover.column;
  }
  return at;
}

// The cell whose sum is told: the pointed one, or the chosen one.
export function spotOf(shown) {
  const { trace, stage, hover } = shown, { planes } = trace.drawing(stage);
  const rest = restOf(), spot = hover ? { ...hover, column: hover.column ?? rest.column } : { plane: planes.length - 1, ...rest };
  const plane = planes[spot.plane];
  return { ...spot, key: plane.stage, index: indexAt(trace, plane, pointed(shown), spot.row, spot.column) };
}
