/** The URL parameters of a microscope; rows, columns, heads and channels count from 1. */
export const NAMES = ["stage", "row", "column", "head", "channel", "lock", "present", "below"];

const FIRST_SHEET = "map";

/**
 * The URL parameters of the current place; null for those that are not needed.
 * @param {Store} store
 * @returns {Record<string, string | null>}
 */
export function paramsOf(store) {
  const { trace, stage, locked, presenting, sheet } = store,
    [row, column] = store.drawnRoles(stage);
  /** @param {string | null} role */
  const place = (role) => (role ? String(store.placeOf(stage, role) + 1) : null);
  return {
    stage,
    row: place(row),
    column: place(column),
    head: Math.max(trace.heads, store.heads) > 1 ? String(store.head + 1) : null,
    channel: trace.stage(stage).roles.includes("channel") ? place("channel") : null,
    lock: locked ? "1" : null,
    present: presenting ? "1" : null,
    below: sheet === FIRST_SHEET ? null : sheet,
  };
}

/**
 * The URL parameters that are not null.
 * @param {Store} store
 * @returns {Record<string, string>}
 */
export function neededParams(store) {
  return Object.fromEntries(
    Object.entries(paramsOf(store)).flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  );
}

/**
 * The place in URL parameters; what is missing or invalid there stays as in the store.
 * @param {URLSearchParams} params @param {Store} store
 * @returns {Place}
 */
export function placeOf(params, store) {
  const named = params.get("stage") ?? "",
    stage = store.trace.stage(named) ? named : store.stage;
  /** @param {string} name */
  const number = (name) => (/^[1-9]\d{0,5}$/.test(params.get(name) ?? "") ? Number(params.get(name)) - 1 : null);
  const [row, column] = store.drawnRoles(stage);
  /** @type {At} */
  const places = {};
  for (const [name, role] of Object.entries({ row, column, channel: "channel" })) {
    const place = number(name);
    if (role && place !== null) places[store.meaning(role, stage)] = place;
  }
  const flags = { locked: params.get("lock") === "1", presenting: params.get("present") === "1" };
  return { stage, head: number("head") ?? store.head, places, sheet: params.get("below"), ...flags };
}
