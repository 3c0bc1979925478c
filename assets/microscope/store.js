// What all components of the page look at: the trace, the chosen cell, and what the pointer is over.
// Each component is a module of its own, so they meet on globalThis.
export const store = (globalThis.attentionMicroscope ??= {
  trace: null,
  stage: null,
  head: 0,
  places: {},
  locked: false,
  hover: null,
  lit: null,
  trail: [],
  pinned: null,
  previewed: null,
  playing: false,
  hiding: false,
  speed: 1,
  presenting: false,
  moves: 0,
  layout: null,
  listeners: new Set(),
});

// A view is called with what has changed: "trace", "place", "hover", "play", "photo".
export function listen(view) {
  store.listeners.add(view);
  return () => store.listeners.delete(view);
}

// One that fails is reported and keeps no other from being drawn.
export function tell(what) {
  for (const view of [...store.listeners]) {
    try {
      view(what);
    } catch (error) {
      reportError(error);
    }
  }
}

// Whether there is a step to show: the numbers and the choice come one after the other.
export const isReady = () => Boolean(store.trace?.stage(store.stage));

// The same token is meant on whichever side of the figure it stands, and so is a frame that is one.
const SAME = { token: "query", memory: "key" };
function meaning(role, key) {
  const { trace } = store, isToken = role === "frame" && trace.size(key, role) === trace.size("X", "token");
  return isToken ? "query" : (SAME[role] ?? role);
}

export function drawnRoles(key) {
  const planes = store.trace.drawing(key)?.planes;
  const { rows, columns } = planes ? planes.at(-1) : { rows: {}, columns: {} };
  return [rows.role || null, columns.role || null];
}

// The chosen place along an axis of a stage: the nearest that it has.
export function placeOf(key, role) {
  const { trace, places, head } = store;
  if (role === "batch") return trace.sample;
  if (role === "head") return Math.min(head, trace.size(key, role) - 1);
  return Math.max(0, Math.min(places[meaning(role, key)] ?? 0, trace.size(key, role) - 1));
}

// Moves to a step, a cell of it or a head; ``places`` says one for each role that shall change.
export function move({ stage = store.stage, head = store.head, places = {}, locked = store.locked }) {
  Object.assign(store, { stage, head, locked, hover: null, moves: store.moves + 1 });
  choose(places);
  tell("place");
}

function choose(places) {
  for (const [role, place] of Object.entries(places)) {
    const meant = meaning(role, store.stage);
    store.places[meant] = place;
    together(meant, place);
  }
}

// A chosen patch and the token that it became are one choice, and so are a frame and the token that
// it shares with others.
function together(meant, place) {
  const { before, hops } = store.trace;
  if (hops && meant === "frame") store.places.query = Math.floor(place / hops);
  if (hops && meant === "query" && Math.floor((store.places.frame ?? -1) / hops) !== place) store.places.frame = place * hops;
  if (before === null) return;
  if (meant === "patch") store.places.query = place + before;
  if (meant === "query" && place >= before) store.places.patch = place - before;
}

export function point(hover) {
  if (same(hover, store.hover)) return;
  store.hover = hover;
  tell("hover");
}

function same(one, other) {
  return one === other || (one && other && one.plane === other.plane && one.row === other.row && one.column === other.column);
}

export function light(means) {
  if (means === store.lit) return;
  store.lit = means;
  tell("hover");
}

// The symbol that is lit: the one pointed at in words, or that of the plane pointed at.
export function meant() {
  const { trace, stage, hover, lit } = store;
  return lit ?? (hover && trace.drawing(stage) ? trace.drawing(stage).planes[hover.plane].stage : null);
}

// What the server chose: by a link, Back, or a control outside the figure. It counts the moves that
// it was told of; one that it does not know of yet is the reader's latest word.
export function adopt(chosen) {
  store.adopted = chosen;
  if (take()) tell("place");
}

export function bring(trace) {
  const hover = isStillThere(trace) ? store.hover : null;
  const trail = store.trail.every(({ stage }) => trace.stage(stage)) ? store.trail : []; // else it leads through another part
  Object.assign(store, { trace, hover, trail, layout: null, previewed: null });
  take();
  tell("trace");
}

// More numbers of the same step leave the pointer over the same cell.
function isStillThere(trace) {
  const { trace: before, stage, hover } = store, planes = [before, trace].map((one) => one?.drawing(stage)?.planes[hover?.plane]);
  return planes.every(Boolean) && ["rows", "columns"].every((side) => planes[0][side].size === planes[1][side].size && planes[0][side].role === planes[1][side].role);
}

function take() {
  const { trace, adopted } = store;
  if (!adopted || trace?.id !== adopted.scene || adopted.moves < store.moves) return false;
  const { stage, head, places, locked, presenting, moves } = adopted;
  const hover = stage === store.stage && head === store.head ? store.hover : null;
  Object.assign(store, { stage, head, places: { ...places }, locked, presenting, moves, hover });
  return true;
}

export function follow({ stage, index }) {
  const { roles } = store.trace.stage(stage), places = {};
  roles.forEach((role, axis) => {
    if (role !== "batch" && role !== "head") places[role] = index[axis];
  });
  const head = roles.includes("head") ? index[roles.indexOf("head")] : store.head;
  store.trail.push({ stage: store.stage, head: store.head, places: { ...store.places }, locked: store.locked });
  move({ stage, head, places, locked: true });
}

export function goBackTo(step) {
  const { stage, head, places, locked } = store.trail[step];
  store.trail.length = step;
  move({ stage, head, places, locked });
}
