import { setIn } from "../microscope/symbols.js";

// Every stage with its named axes, each in its colour, and what it costs.
export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const table = document.createElement("table"),
    head = table.createTHead().insertRow(),
    body = table.createTBody();
  head.append(...data.columns.map((name) => made("th", name, "")));
  for (const row of data.rows) {
    const line = body.insertRow(),
      name = made("th", "", "");
    name.scope = "row";
    name.append(...row.name.map(spanOf));
    const shape = made("td", "", "shape");
    if (row.axes.length) shape.append(...shapeOf(row.axes));
    const operation = made("td", "", "operation");
    operation.append(...row.operation.map(spanOf));
    line.append(
      name,
      shape,
      operation,
      ...row.numbers.map((text) => made("td", text, "number")),
      made("td", row.real, "real"),
    );
    line.classList.toggle("total", row.total);
    line.classList.toggle("lit", row.lit);
  }
  frame.replaceChildren(table);
}

function shapeOf(axes) {
  return [
    "(",
    ...axes.flatMap(({ role, size, changed }, i) => {
      const one = setIn(made("span", "", role), `${role} ${size}`);
      one.classList.toggle("changed", changed);
      return [...(i ? [", "] : []), one];
    }),
    ")",
  ];
}

function spanOf([text, role]) {
  return made(["sup", "sub"].includes(role) ? role : "span", text, role);
}

function made(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}
