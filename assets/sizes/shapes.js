import { make, sectionOf, spans } from "../shared/dom.js";
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
  const table = make("table"),
    head = table.createTHead().insertRow(),
    body = table.createTBody();
  head.append(...data.columns.map((name) => make("th", "", name)));
  for (const row of data.rows) {
    const line = body.insertRow(),
      name = make("th"),
      shape = make("td", "shape"),
      operation = make("td", "operation");
    name.scope = "row";
    name.append(...spans(row.name));
    if (row.axes.length) shape.append(...shapeOf(row.axes));
    operation.append(...spans(row.operation));
    const numbers = row.numbers.map((text) => make("td", "number", text));
    line.append(name, shape, operation, ...numbers, make("td", "real", row.real));
    line.classList.toggle("total", row.total);
    line.classList.toggle("lit", row.lit);
  }
  sectionOf(parentElement).replaceChildren(table);
}
