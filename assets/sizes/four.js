import { make, sectionOf } from "../shared/dom.js";
import { setIn } from "../microscope/words/symbols.js";
import { shapeOf } from "./axes.js";

/** @import { Axis } from "./axes.js" */

/**
 * @typedef {{ name: string, axes: Axis[] }} Tuple
 * @typedef {{ role: string, name: string, size: string, text: string }} Meaning
 */

/**
 * The numbers of a shape, large, each in its axis' colour, and what each of them means.
 * @param {ComponentArgs<{ tuples: Tuple[], means: Meaning[] }>} args
 */
export default function ({ data, parentElement }) {
  const tuples = make("div", "tuples"),
    means = make("ul", "means");
  tuples.append(...data.tuples.map(tupleOf));
  means.append(
    ...data.means.map(({ role, size, name, text }) => {
      const item = make("li", `of-${role}`),
        head = make("b", role);
      head.append(make("span", "size", size), " ");
      setIn(head, name);
      item.append(head, make("p", "", text));
      return item;
    }),
  );
  sectionOf(parentElement).replaceChildren(tuples, means);
}

/** @param {Tuple} tuple */
function tupleOf({ name, axes }) {
  const line = make("p", "tuple");
  const numbers = shapeOf(axes, ({ role, size }) => Object.assign(make("b", role, size), { title: role }));
  line.append(make("span", "symbol", name), " ", ...numbers);
  return line;
}
