import { make } from "../dom.js";
import { roving } from "../roving.js";
import { code } from "./code.js";
import { map } from "./map.js";
import { save } from "./save.js";
import { shapes } from "./shapes.js";

const SHEETS = { map, shapes, code, figure: save };
const ALL = new Set(["trace", "place"]);

/** What stands below the step: four sheets, of which only the open one is made and kept up to date.
 *
 * @param {Store} store @param {{ page?: KeptPage }} given
 * @returns {{ element: HTMLElement, changed(what: Set<string>): void }}
 */
export function sheets(store, given) {
  const element = make("section", "sheets"),
    tabs = make("div", "tabs"),
    panel = make("div", "panel");
  tabs.setAttribute("role", "tablist");
  panel.setAttribute("role", "tabpanel");
  element.append(tabs, panel);
  const made = {};
  let open = null;
  const buttons = Object.keys(SHEETS).map((name) => tab(name, () => store.turn(name)));
  tabs.append(...buttons);

  /** @param {Set<What>} what */
  function changed(what) {
    const turned = open !== sheetOf(store);
    if (turned || what.has("trace")) {
      open = sheetOf(store);
      mark(open);
    }
    made[open] ??= SHEETS[open](store, given);
    if (turned) panel.replaceChildren(made[open].element);
    made[open].changed(turned ? ALL : what);
  }

  /** @param {SheetName} open */
  function mark(open) {
    const { names } = store.trace.sheets.words;
    for (const button of buttons) {
      button.textContent = names[button.dataset.sheet];
      button.setAttribute("aria-selected", button.dataset.sheet === open);
    }
    panel.setAttribute("aria-label", names[open]);
    roving(
      tabs,
      "button",
      buttons.find((button) => button.dataset.sheet === open),
    );
  }

  return { element, changed };
}

/** @param {SheetName} name @param {() => void} onclick */
function tab(name, onclick) {
  const button = make("button");
  button.setAttribute("role", "tab");
  button.dataset.sheet = name;
  button.onclick = onclick;
  return button;
}

/** The sheet that is open: the chosen one, the first one where none of this name is known.
 *
 * @param {{ sheet: string | null }} store
 * @returns {string}
 */
export function sheetOf({ sheet }) {
  return Object.hasOwn(SHEETS, sheet ?? "") ? sheet : "map";
}
