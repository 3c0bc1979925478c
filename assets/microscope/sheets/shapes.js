import { all, make, spans } from "../../shared/dom.js";
import { header, row, table } from "../../shared/table_rows.js";
import { showFormula } from "../words/formula.js";
import { roving } from "../stepper/roving.js";
import { setIn } from "../words/symbols.js";

const NOTHING = () => {};

/** Every stage with its operation, its named axes and what it costs; each row a link to its step.
 *
 * @param {Store} store
 * @returns {ShownPart}
 */
export function shapes(store) {
  const room = make("div", "room"),
    heads = make("div", "heads_cost"),
    element = make("div", "shapes", [room, heads]);
  /** @param {Set<What>} what */
  const changed = (what) => {
    if (what.has("trace")) fill(store, room, heads);
    if (what.has("trace") || what.has("selection")) mark(room, store.stage);
  };
  return { element, changed };
}

/** Role and size of each axis of a stage, in the order in which they are named.
 *
 * @param {Trace} trace
 * @param {string} key
 * @returns {[string, number][]}
 */
export function sizesOf(trace, key) {
  return trace.sheets.shapes.rows.find((row) => row.key === key)?.sizes ?? [];
}

/**
 * formula: null for what is given.
 * @typedef {{
 *   key: string, called: string, formula: Formula | null, axes: [role: string, text: string][], counts: string[],
 * }} TableRow
 */

/** The table's rows as data.
 *
 * @param {Trace} trace
 * @returns {TableRow[]}
 */
export function rowsOf(trace) {
  return trace.sheets.shapes.rows.map(({ key, sizes, values, multiply_adds, bytes }) => {
    const { rule, formula, called } = trace.stage(key);
    return {
      key,
      called,
      formula: rule.rule === "given" ? null : formula,
      axes: sizes.map(([role, size]) => [role, trace.sized(role, size)]),
      counts: [values, multiply_adds, bytes],
    };
  });
}

/** @param {Store} store @param {HTMLElement} room @param {HTMLElement} heads */
function fill(store, room, heads) {
  const { columns, total, heads: cost } = store.trace.sheets.shapes;
  const rows = rowsOf(store.trace).map((one) => rowElement(store, one));
  const counts = [total.values, total.multiply_adds, total.bytes];
  const sum = row(header("row", total.name), make("td"), make("td"), ...counts.map(number));
  sum.className = "total";
  room.replaceChildren(titled(store.trace.sheets.words.names.shapes, columns, [...rows, sum]));
  heads.hidden = !cost;
  heads.replaceChildren(...(cost ? costElements(cost) : []));
}

/** @param {Store} store @param {TableRow} tableRow */
function rowElement(store, { key, called, formula, axes, counts }) {
  const onclick = () => store.move({ stage: key }),
    link = setIn(make("button", "link", "", { title: called, onclick }), key),
    written = make("td", "operation"),
    shape = make("td");
  const line = row(header("row", link), written, shape, ...counts.map(number));
  line.dataset.key = key;
  if (formula) showFormula(written.appendChild(make("div")), formula, { onHover: NOTHING });
  else written.textContent = "—";
  shape.append("(", ...axes.flatMap(([role, text], i) => [...(i ? [", "] : []), axis(role, text)]), ")");
  return line;
}

/** @param {string} role @param {string} text */
const axis = (role, text) => setIn(make("span", `axis ${role}`), text);
/** @param {string} text */
const number = (text) => make("td", "number", text);

/** @param {string} label @param {string[]} columns @param {HTMLElement[]} rows */
function titled(label, columns, rows) {
  return Object.assign(table(row(...columns.map((name) => header("col", name))), rows), { ariaLabel: label });
}

/** @param {HeadsCost} headsCost */
function costElements({ title, columns, rows }) {
  const lines = rows.map(({ name, counts }) =>
    row(header("row", make("span", "", spans(name))), ...counts.map(number)),
  );
  return [make("h3", "", title), titled(title, columns, lines)];
}

/** @param {HTMLElement} room @param {string} stage */
function mark(room, stage) {
  for (const row of room.querySelectorAll("tr")) {
    const isNow = row.classList.toggle("now", row.dataset.key === stage);
    for (const link of all(row, ".link")) link.ariaCurrent = isNow ? "step" : null;
  }
  roving(room, ".link", room.querySelector(".now .link"));
}
