import { make, sectionOf, spans } from "../shared/dom.js";
import { header, row, table } from "../shared/table_rows.js";
import { shapeOf } from "./axes.js";

/** @import { Axis } from "./axes.js" */

/**
 * @typedef {{
 *   name: Span[], axes: Axis[], operation: Span[], numbers: string[], real: string,
 *   total: boolean, lit: boolean,
 * }} Row
 */

/**
 * Every stage with its named axes, each in its colour, and what it costs.
 * @param {ComponentArgs<{ columns: string[], rows: Row[] }>} args
 */
export default function ({ data, parentElement }) {
  const rows = data.rows.map((one) => {
    const name = header("row", ""),
      shape = make("td", "shape", one.axes.length ? shapeOf(one.axes) : ""),
      operation = make("td", "operation", spans(one.operation));
    name.append(...spans(one.name));
    const numbers = one.numbers.map((text) => make("td", "number", text)),
      line = row(name, shape, operation, ...numbers, make("td", "real", one.real));
    line.classList.toggle("total", one.total);
    line.classList.toggle("lit", one.lit);
    return line;
  });
  const head = row(...data.columns.map((name) => header("col", name)));
  const section = sectionOf(parentElement);
  section.className = "scrolls";
  section.replaceChildren(table(head, rows));
}
