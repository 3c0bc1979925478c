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
  const means = data.means.map(({ role, size, name, text }) => {
    const head = setIn(make("b", role, [make("span", "size", size), " "]), name);
    return make("li", `of-${role}`, [head, make("p", "", text)]);
  });
  sectionOf(parentElement).replaceChildren(make("div", "tuples", data.tuples.map(tupleOf)), make("ul", "means", means));
}

/** @param {Tuple} tuple */
function tupleOf({ name, axes }) {
  const numbers = shapeOf(axes, ({ role, size }) => make("b", role, size, { title: role }));
  return make("p", "tuple", [make("span", "symbol", name), " ", ...numbers]);
}
