/** The URL parameters of a microscope; rows, columns, heads and channels count from 1. */
export const NAMES = ["stage", "row", "column", "head", "channel", "lock", "present", "below"];

const FIRST_SHEET = "map";

/**
 * The URL parameters of the current selection, as far as they are needed.
 * @param {Store} store
 * @returns {Record<string, string>}
 */
export function paramsOf(store) {
  const { trace, stage, locked, presenting, sheet, machine } = store,
    [row, column] = store.drawnRoles(stage);
  /** @param {string} role */
  const position = (role) => String(store.positionOf(stage, role) + 1);
  const head = Math.max(trace.heads, store.heads) > 1 && { head: String(store.head + 1) };
  const isPresent = presenting && { present: "1" };
  if (!machine) return { row: String(store.positionOf("weights", "query") + 1), ...head, ...isPresent };
  return {
    stage,
    ...(row && { row: position(row) }),
    ...(column && { column: position(column) }),
    ...head,
    ...(trace.stage(stage).roles.includes("channel") && { channel: position("channel") }),
    ...(locked && { lock: "1" }),
    ...isPresent,
    ...(sheet && sheet !== FIRST_SHEET && { below: sheet }),
  };
}

/**
 * Puts the current selection into the page's address. A step is an entry of the browser's history, so that Back leads
 * to the one before; a cell, a head or a sheet replaces the present entry.
 * @param {Store} store @param {boolean} isStep
 */
export function writeAddress(store, isStep) {
  const query = new URLSearchParams(location.search),
    params = paramsOf(store);
  for (const name of NAMES) {
    if (name in params) query.set(name, params[name]);
    else query.delete(name);
  }
  const search = `?${query}`;
  if (search !== location.search) history[isStep ? "pushState" : "replaceState"](history.state, "", search);
  return search;
}

/**
 * The selection in URL parameters; what is missing or invalid there stays as in the store.
 * @param {URLSearchParams} params @param {Store} store
 * @returns {SelectionState}
 */
export function selectionOf(params, store) {
  const named = params.get("stage") ?? "",
    stage = store.trace.stage(named) ? named : store.stage;
  /** @param {string} name */
  const number = (name) => (/^[1-9]\d{0,5}$/.test(params.get(name) ?? "") ? Number(params.get(name)) - 1 : null);
  const [row, column] = store.drawnRoles(stage);
  /** @type {At} */
  const positions = {};
  for (const [name, role] of Object.entries({ row, column, channel: "channel" })) {
    const position = number(name);
    if (role && position !== null) positions[store.meaning(role, stage)] = position;
  }
  const head = number("head"),
    known = Math.max(store.trace.heads, store.heads);
  const flags = { locked: params.get("lock") === "1", presenting: params.get("present") === "1" };
  return {
    stage,
    head: head !== null && head < known ? head : store.head,
    positions,
    sheet: params.get("below"),
    ...flags,
  };
}
