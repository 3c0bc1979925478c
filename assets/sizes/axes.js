import { make } from "../shared/dom.js";
import { setIn } from "../microscope/words/symbols.js";

/** A named size of a shape, and whether the reader changed it. @typedef {{ role: string, size: string, changed: boolean }} Axis */

/**
 * Axes between brackets, such as (batch 2, head 8), each as `write` sets it.
 * @param {Axis[]} axes @param {(axis: Axis) => HTMLElement} [write]
 */
export function shapeOf(axes, write = named) {
  return [
    "(",
    ...axes.flatMap((axis, i) => {
      const one = write(axis);
      one.classList.toggle("changed", axis.changed);
      return i ? [", ", one] : [one];
    }),
    ")",
  ];
}

/** @param {Axis} axis */
const named = ({ role, size }) => setIn(make("span", role), `${role} ${size}`);
