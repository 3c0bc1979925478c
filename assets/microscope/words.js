import { make } from "./dom.js";
import { lightFormula, showFormula } from "./formula.js";
import { nameOf } from "./labels.js";
import { shortened } from "./names.js";
import { roving } from "./roving.js";
import { drawnRoles, isReady, light, listen, meant, placeOf, store } from "./store.js";

// What the step does: its formula and a sentence about the pointed cell, or the chosen one.
export default function ({ parentElement }) {
  const view = (parentElement.view ??= build(parentElement));
  view.stop?.();
  view.stop = listen((what) => {
    if (what === "trace" || what === "place") fill(view);
    if (what === "hover") follow(view);
  });
  fill(view);
  return () => view.stop();
}

function build(parentElement) {
  const root = parentElement.appendChild(make("section")), formula = make("div", "formula"), does = make("p", "does");
  root.append(formula, does);
  return { formula, does };
}

function fill(view) {
  if (!isReady()) return;
  showFormula(view.formula, store.trace.stage(store.stage).formula, { onHover: light });
  roving(view.formula, "[data-means]", null, { tabbed: true });
  say(view, placesTold());
}

function follow(view) {
  if (!isReady()) return;
  lightFormula(view.formula, meant());
  const places = placesTold();
  if (String(places) !== String(view.places)) say(view, places);
}

// The words' row and column are those of the stage, on whichever side of the figure they are drawn.
function ownRoles(key) {
  const { roles } = store.trace.stage(key);
  return drawnRoles(key).sort((one, other) => roles.indexOf(one) - roles.indexOf(other));
}

// The row and the column of the result: where the pointed cell stands, of whichever plane, else the
// chosen ones.
function placesTold() {
  const { trace, stage, hover } = store, plane = hover && trace.drawing(stage)?.planes[hover.plane];
  return ownRoles(stage).map((role) => {
    if (plane && role && role === plane.rows.role) return hover.row;
    if (plane && role === plane.columns.role && hover.column !== null) return hover.column;
    return role && placeOf(stage, role);
  });
}

function say(view, places) {
  view.places = places;
  view.does.hidden = isFilling(places);
  view.does.replaceChildren(...store.trace.stage(store.stage).does.map(([text, role]) => (role === "{}" ? named(text, places) : make(role === "sup" || role === "sub" ? role : "span", role, text))));
}

// A row of [PAD] has nothing to share out.
function isFilling([row]) {
  const { trace, stage } = store;
  return ["query", "token"].includes(ownRoles(stage)[0]) && Boolean(trace.filled?.[row]);
}

// A row or a column by its name; a patch is called one before its number.
function named(side, places) {
  const { trace, stage } = store, at = side === "row" ? 0 : 1, role = ownRoles(stage)[at];
  if (!role) return "";
  const { roles, names } = trace.stage(stage), axis = roles.indexOf(role);
  const label = shortened(nameOf(trace, { names: names[axis] }, places[at]));
  const counted = /^\d+$/.test(label) && ["query", "key", "token", "patch"].includes(role);
  const name = make("span", role, counted ? trace.words.patch.replace("{number}", label) : label);
  name.onpointerenter = () => light(role);
  name.onpointerleave = () => light(null);
  return name;
}
