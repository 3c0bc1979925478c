import { all, around, focusedBeside, make, sectionOf, toMicroscope, within } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { header, row, table } from "../shared/table_rows.js";

const SETTLED = 600; // milliseconds, in which what stands below has been drawn anew

/**
 * @typedef {[name: string, printed: string, probability: number, listed: number]} Cell
 * @typedef {{
 *   language: string, label: string, layer: string, columns: string[], cell: string, chosen: number, rows: Cell[][],
 *   every: string, turns: string, asked: number,
 * }} Lens every, turns: what the button says that shows all rows, or some. asked: how often the reader wanted to see the sums
 */

/** @type {WeakMap<HTMLElement, number>} */
const asked = new WeakMap();

/**
 * What each layer would write next: a row for the first layer, for each at which the likeliest token changes and for the
 * last, whose row is the model's prediction; or for all. In the last column the token that comes next.
 * @param {ComponentArgs<Lens>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const section = sectionOf(parentElement),
    focused = focusedBeside(section)?.dataset.at,
    before = section.querySelector(".scroll")?.scrollTop;
  const scroll = make("div", "scroll", [tableOf(data)]),
    turn = make("button", "turn", "", { hidden: !scroll.querySelector(".same") });
  const fold = (/** @type {boolean} */ isFolded) => {
    section.dataset.folded = String(isFolded);
    scroll.classList.toggle("folded", isFolded);
    turn.textContent = isFolded ? data.every : data.turns;
    turn.ariaExpanded = String(!isFolded);
  };
  fold(section.dataset.folded !== "false");
  turn.onclick = () => fold(section.dataset.folded === "false");
  section.lang = data.language;
  section.replaceChildren(scroll, turn);
  scroll.onclick = (event) => {
    const at = around(event, "td button")?.dataset.at;
    if (!at) return;
    setTriggerValue("choose", at.split("/").map(Number).slice(0, 2));
    toMicroscope();
  };
  if (data.asked > (asked.get(section) ?? data.asked)) setTimeout(toMicroscope, SETTLED);
  asked.set(section, data.asked);
  const chosen = within(section, ".chosen button");
  roving(scroll, "td button", chosen);
  scroll.scrollTop = before ?? 0;
  if (focused)
    [...all(section, "button")].find(({ dataset }) => dataset.at === focused)?.focus({ preventScroll: true });
}

/** @param {Lens} lens */
function tableOf({ label, layer, columns, cell, chosen, rows }) {
  const made = table(
    row(make("td"), ...columns.map((name) => Object.assign(header("col", name), { title: name }))),
    rows.map((cells, i) => {
      const line = row(header("row", String(i + 1))),
        isBetween = i > 0 && i < rows.length - 1;
      line.classList.toggle("chosen", i + 1 === chosen);
      line.classList.toggle("same", isBetween && i + 1 !== chosen && cells[0][0] === rows[i - 1][0][0]);
      cells.forEach(([name, printed, probability, listed], j) => {
        const where = layer.replace("{layer}", String(i + 1)),
          title = cell
            .replace("{where}", where)
            .replace("{name}", () => name)
            .replace("{value}", printed);
        const parts =
          j < cells.length - 1 ? [make("span", "", name), make("b", "", printed)] : [make("b", "", printed)];
        const button = make("button", "", parts, { title });
        button.classList.toggle("final", j < cells.length - 1 && name === columns.at(-1));
        button.dataset.at = `${i + 1}/${listed}/${j}`;
        button.style.setProperty("--p", String(probability));
        line.appendChild(make("td")).append(button);
      });
      return line;
    }),
  );
  made.createCaption().textContent = label;
  return made;
}
