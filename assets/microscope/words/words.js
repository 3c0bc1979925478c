import { make, setText, spans } from "../../shared/dom.js";
import { codeOf, listing } from "../sheets/code.js";
import { lightFormula, showFormula } from "./formula.js";
import { isFilling, positionName } from "../engine/readings.js";
import { roving } from "../stepper/roving.js";

/**
 * positions: the row and the column that the words are about.
 * @typedef {{
 *   store: Store, title: HTMLElement, formula: HTMLElement, code: HTMLElement, turn: HTMLElement, does: HTMLElement,
 *   positions: (number | null)[],
 * }} WordsView
 */

/**
 * What the step does: its formula, or its code, and a sentence about the pointed cell, or the chosen one.
 * @param {Store} store
 */
export function words(store) {
  const title = make("h2"),
    formula = make("div", "formula"),
    code = make("div", "code", "", { hidden: true }),
    turn = make("button", "turn"),
    does = make("p", "does"),
    element = make("section", "words", [title, turn, formula, code, does]);
  /** @type {WordsView} */
  const view = { store, title, formula, code, turn, does, positions: [] };
  turn.onclick = () => {
    [code.hidden, formula.hidden] = [formula.hidden, code.hidden];
    showCode(view);
  };
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace") || what.has("selection")) fill(view);
    else if (what.has("hover")) follow(view);
  };
  return { element, changed };
}

/** @param {WordsView} view */
function fill(view) {
  const { store } = view,
    { trace } = store;
  view.title.textContent = trace.words.does;
  showFormula(view.formula, trace.stage(store.stage).formula, { onHover: (means) => store.light(means) });
  roving(view.formula, "[data-means]", null, { tabbed: true });
  showCode(view);
  say(view, describedPositions(store));
}

/** @param {WordsView} view */
function showCode({ store, code, turn }) {
  const { trace, stage } = store,
    { sheets, words } = trace;
  setText(turn, code.hidden ? words.microscope.code : words.microscope.formula);
  if (code.hidden) return;
  const { notes, text } = codeOf(trace, stage);
  code.replaceChildren(
    ...(text ? [listing({ text }, sheets.words)] : []),
    ...notes.map((note) => make("p", "quiet", note)),
  );
}

/** @param {WordsView} view */
function follow(view) {
  const { store } = view;
  lightFormula(view.formula, store.meant);
  const positions = describedPositions(store);
  if (String(positions) !== String(view.positions)) say(view, positions);
}

/**
 * The words' row and column are those of the stage, on whichever side of the figure they are drawn.
 * @param {Store} store
 */
function ownRoles(store) {
  const { roles } = store.trace.stage(store.stage);
  return store.drawnRoles(store.stage).sort((one, other) => roles.indexOf(one ?? "") - roles.indexOf(other ?? ""));
}

/**
 * The row and the column of the result: where the pointed cell stands, of whichever plane, else the
 * chosen ones.
 * @param {Store} store
 */
function describedPositions(store) {
  const { trace, stage, hover } = store,
    plane = hover && trace.drawing(stage)?.planes[hover.plane];
  return ownRoles(store).map((role) => {
    if (!role) return null;
    if (plane && role === plane.rows.role) return hover.row;
    if (plane && role === plane.columns.role && hover.column !== null) return hover.column;
    return store.positionOf(stage, role);
  });
}

/** @param {WordsView} view @param {(number | null)[]} positions */
function say(view, positions) {
  const { store } = view;
  view.positions = positions;
  view.does.hidden = isFilling(store.trace, store.stage, store.pointed());
  view.does.replaceChildren(
    ...store.trace.stage(store.stage).does.flatMap(([text, role]) => {
      if (role === "{}") return named(store, text, positions);
      return role === "term" ? term(store, text) : spans([[text, role]]);
    }),
  );
}

/**
 * A term with the way to it, where there is one.
 * @param {Store} store @param {string} text
 */
function term({ trace, stage }, text) {
  const [, href] = trace.sheets.terms[stage].find(([name]) => name === text) ?? [];
  return href ? make("a", "", text, { href }) : text;
}

/**
 * A row or a column by its name.
 * @param {Store} store @param {string} side @param {(number | null)[]} positions
 */
function named(store, side, positions) {
  const at = side === "row" ? 0 : 1,
    role = ownRoles(store)[at];
  if (!role) return "";
  const [label] = positionName(store.trace, store.stage, role, positions[at] ?? 0),
    name = make("span", role, label);
  name.onpointerenter = () => store.light(role);
  name.onpointerleave = () => store.light(null);
  return name;
}
