import { setIn } from "../microscope/symbols.js";

// The numbers of a shape, large, each in its axis' colour, and what each of them means.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const tuples = made("div", "", "tuples"),
    means = made("ul", "", "means");
  tuples.append(...data.tuples.map(tupleOf));
  means.append(
    ...data.means.map(({ role, size, name, text }) => {
      const item = made("li", "", ""),
        head = made("b", "", role);
      item.classList.add(`of-${role}`);
      head.append(made("span", size, "size"), " ");
      setIn(head, name);
      item.append(head, made("p", text, ""));
      return item;
    }),
  );
  root.replaceChildren(tuples, means);
}

function tupleOf({ name, axes }) {
  const line = made("p", "", "tuple");
  line.append(made("span", name, "symbol"), " (");
  axes.forEach(({ role, size, changed }, i) => {
    const number = made("b", size, role);
    number.title = role;
    number.classList.toggle("changed", changed);
    line.append(...(i ? [", "] : []), number);
  });
  line.append(")");
  return line;
}

function made(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}
