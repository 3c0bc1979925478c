import { make } from "../../shared/dom.js";
import { roving } from "../stepper/roving.js";
import { code } from "./code.js";
import { map } from "./map.js";
import { save } from "./save.js";
import { shapes } from "./shapes.js";

/** @type {Record<string, (store: Store, given: { page?: PageFiles }) => ShownPart>} */
const SHEETS = { map, shapes, code, figure: save };
/** @type {Set<What>} */
const ALL = new Set(["trace", "selection"]);

/** What stands below the step: four sheets, of which only the open one is made and updated.
 *
 * @param {Store} store @param {{ page?: PageFiles }} given
 * @returns {ShownPart}
 */
export function sheets(store, given) {
  const tabs = make("div", "tabs", "", { role: "tablist" }),
    panel = make("div", "panel", "", { role: "tabpanel" }),
    element = make("section", "sheets", [tabs, panel]);
  /** @type {Record<string, ShownPart>} */
  const made = {};
  let open = "";
  const buttons = new Map(Object.keys(SHEETS).map((name) => [name, tab(name, () => store.openSheet(name))]));
  tabs.append(...buttons.values());

  /** @param {Set<What>} what @param {Frame} frame */
  function changed(what, frame) {
    const turned = open !== sheetOf(store);
    if (turned || what.has("trace")) {
      open = sheetOf(store);
      mark(open);
    }
    made[open] ??= SHEETS[open](store, given);
    if (turned) panel.replaceChildren(made[open].element);
    made[open].changed(turned ? ALL : what, frame);
  }

  /** @param {string} open */
  function mark(open) {
    const { names } = store.trace.sheets.words;
    for (const [name, button] of buttons) {
      button.textContent = names[name];
      button.ariaSelected = String(name === open);
    }
    panel.ariaLabel = names[open];
    roving(tabs, "button", buttons.get(open));
  }

  return { element, changed, settle: (what) => made[open]?.settle?.(what) };
}

/** @param {string} name @param {() => void} onclick */
function tab(name, onclick) {
  const button = make("button", "", "", { role: "tab", onclick });
  button.dataset.sheet = name;
  return button;
}

/** The sheet that is open: the chosen one, the first one where none of this name is known.
 *
 * @param {{ sheet: string | null }} store
 * @returns {string}
 */
function sheetOf({ sheet }) {
  return sheet && Object.hasOwn(SHEETS, sheet) ? sheet : "map";
}
