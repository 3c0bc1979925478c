import { make } from "./dom.js";
import { lightFormula, showFormula } from "./formula.js";
import { nameOf } from "./labels.js";
import { drawnRoles, isReady, light, listen, meant, placeOf, store } from "./store.js";

// What the step does: its formula and a sentence about the chosen cell.
export default function ({ parentElement }) {
  const view = (parentElement.view ??= build(parentElement));
  view.stop?.();
  view.stop = listen((what) => {
    if (what === "trace" || what === "place") fill(view);
    if (what === "hover") lightFormula(view.formula, meant());
  });
  fill(view);
  return () => view.stop();
}

function build(parentElement) {
  const root = parentElement.appendChild(make("section")), formula = make("div", "formula"), does = make("p", "does");
  root.append(formula, does);
  return { formula, does };
}

function fill({ formula, does }) {
  if (!isReady()) return;
  const stage = store.trace.stage(store.stage);
  showFormula(formula, stage.formula, { onHover: light });
  does.hidden = isFilling();
  does.replaceChildren(...stage.does.map(([text, role]) => (role === "{}" ? named(text) : make(role === "sup" || role === "sub" ? role : "span", role, text))));
}

// A row of [PAD] has nothing to share out.
function isFilling() {
  const { trace, stage } = store, role = drawnRoles(stage)[0];
  return ["query", "token"].includes(role) && Boolean(trace.filled?.[placeOf(stage, role)]);
}

// The chosen row or column by its name; a patch is called one before its number.
function named(side) {
  const { trace, stage } = store, role = drawnRoles(stage)[side === "row" ? 0 : 1];
  if (!role) return "";
  const { roles, names } = trace.stage(stage), axis = roles.indexOf(role), place = placeOf(stage, role);
  const label = nameOf(trace, { names: names[axis] }, place);
  const counted = /^\d+$/.test(label) && ["query", "key", "token", "patch"].includes(role);
  const name = make("span", role, counted ? trace.words.patch.replace("{number}", label) : label);
  name.onpointerenter = () => light(role);
  name.onpointerleave = () => light(null);
  return name;
}
