import { resolve } from "../engine/rules.js";

/**
 * The rows and columns of each plane to highlight for the pointed cell. For each plane
 * { row, column }, null for all of them; no entry where nothing of the plane is meant.
 * @param {Trace} trace @param {Drawing} drawing @param {At} at @param {Hover} spot
 * @returns {(Spot | undefined)[]}
 */
export function litBy(trace, drawing, at, spot) {
  const result = drawing.planes.length - 1;
  return spot.plane === result ? madeFrom(trace, drawing, at, spot) : usedIn(trace, drawing, at, spot);
}

/**
 * A spot without a column is a whole row.
 * @param {Trace} trace @param {Drawing} drawing @param {At} at @param {Hover} spot
 */
function madeFrom(trace, drawing, at, spot) {
  const result = drawing.planes.at(-1),
    position = { ...at, [result.rows.role]: spot.row };
  if (spot.column !== null) position[result.columns.role] = spot.column;
  return drawing.planes.map((plane) => {
    if (plane === result) return { row: spot.row, column: spot.column };
    if (!counts(trace, plane, position)) return undefined;
    const found = marked(trace, plane, position);
    return spot.column === null && plane.mark[1] === result.columns.role ? { ...found, column: null } : found;
  });
}

/** @param {Trace} trace @param {Plane} plane @param {At} position */
export function counts(trace, { marked_when: when }, position) {
  if (!when) return true;
  const found = resolve(when[0], position, trace.read);
  return found >= when[1] && found < when[2];
}

/** @param {Trace} trace @param {Plane} plane @param {At} position */
export function marked(trace, plane, position) {
  const [row, column] = plane.mark.map((part) => (part === null ? null : resolve(part, position, trace.read)));
  return { row: plane.rows.role ? row : null, column };
}

/**
 * An operand's cell: the cells of the result that read it, and what it is multiplied with.
 * @param {Trace} trace @param {Drawing} drawing @param {At} at @param {Hover} spot
 */
function usedIn(trace, drawing, at, spot) {
  const operand = drawing.planes[spot.plane],
    result = drawing.planes.at(-1);
  /** @type {(Spot | undefined)[]} */
  const lit = drawing.planes.map(() => undefined);
  lit[spot.plane] = { row: spot.row, column: spot.column };
  if (drawing.layout === "product") {
    const left = spot.plane === 0;
    lit[1 - spot.plane] = left ? { row: spot.column, column: null } : { row: null, column: spot.row };
    lit[2] = left ? { row: spot.row, column: null } : { row: null, column: spot.column };
    return lit;
  }
  const [row, column] = operand.mark;
  /** @param {Index | null} part @param {string | null} role */
  const same = (part, role) => part === null || part === role;
  const found =
    same(row, result.rows.role || null) && same(column, result.columns.role)
      ? { row: row === null ? null : spot.row, column: column === null ? null : spot.column }
      : readers(trace, operand, result, at, spot);
  if (found) lit[drawing.planes.length - 1] = found;
  return lit;
}

/**
 * The result's cells that copy an operand's one: all of a row, all of a column, or one.
 * @param {Trace} trace @param {Plane} operand @param {Plane} result @param {At} at @param {Hover} spot
 * @returns {Spot | undefined}
 */
function readers(trace, operand, result, at, spot) {
  /** @type {Set<number>} */
  const rows = new Set(),
    /** @type {Set<number>} */
    columns = new Set(),
    position = { ...at };
  for (let row = 0; row < result.rows.size; row++) {
    for (let column = 0; column < result.columns.size; column++) {
      position[result.rows.role] = row;
      position[result.columns.role] = column;
      if (!counts(trace, operand, position)) continue;
      const found = marked(trace, operand, position);
      if ((found.row === null || found.row === spot.row) && (found.column === null || found.column === spot.column)) {
        rows.add(row);
        columns.add(column);
      }
    }
  }
  if (!rows.size) return undefined;
  return { row: rows.size === 1 ? [...rows][0] : null, column: columns.size === 1 ? [...columns][0] : null };
}
