import { around } from "../../shared/dom.js";

/**
 * @typedef {HTMLElement & { disabled?: boolean }} Stop
 * @typedef {"x" | "y"} Axis
 */

/** @type {Record<string, [right: number, down: number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The elements that have listeners already.
/** @type {WeakSet<Element>} */
const WALKED = new WeakSet();

/**
 * Roving tabindex: one Tab stop for all matching elements below root.
 *
 * Arrows go on inside, Home and End to the ends of a line, with Ctrl to the ends of all; the stop
 * is the element that had the focus last. current: the initial one. tabbed: after a click on one of them,
 * arrow keys keep their meaning on the page.
 * @param {Element} root @param {string} selector @param {Element | null} [current]
 * @param {{ tabbed?: boolean }} [given]
 */
export function roving(root, selector, current = null, { tabbed = false } = {}) {
  stopAt(root, selector, current ?? stopsOf(root, selector).find((one) => !one.hidden && !one.disabled));
  if (WALKED.has(root)) return;
  WALKED.add(root);
  root.addEventListener("focusin", (event) => {
    const one = around(event, selector);
    if (one) stopAt(root, selector, one);
  });
  root.addEventListener("keydown", (event) => {
    const from = around(event, selector);
    if (
      !from ||
      !(event instanceof KeyboardEvent) ||
      event.metaKey ||
      event.altKey ||
      (tabbed && !from.matches(":focus-visible"))
    )
      return;
    const there = stopsOf(root, selector).filter((one) => !one.disabled && one.getClientRects().length);
    const to = next(there.map(middleOf), there.indexOf(from), event);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    there[to]?.focus();
  });
}

/** @param {Element} root @param {string} selector */
function stopsOf(root, selector) {
  /** @type {NodeListOf<Stop>} */
  const stops = root.querySelectorAll(selector);
  return [...stops];
}

/** @param {Element} root @param {string} selector @param {Element | null | undefined} stop */
function stopAt(root, selector, stop) {
  for (const one of stopsOf(root, selector)) {
    const tabindex = one === stop ? "0" : "-1";
    if (one.getAttribute("tabindex") !== tabindex) one.setAttribute("tabindex", tabindex);
  }
}

/**
 * The index to which a key moves from the box with this index; undefined for other keys.
 * @param {Rectangle[]} boxes @param {number} from @param {KeyboardEvent} keyboardEvent
 */
function next(boxes, from, { key, ctrlKey }) {
  const last = boxes.length - 1,
    line = boxes.flatMap((box, i) => (shares(box, boxes[from], "y") ? [i] : []));
  if (key === "Home") return ctrlKey ? 0 : line[0];
  if (key === "End") return ctrlKey ? last : line.at(-1);
  if (!(key in WAYS) || ctrlKey) return undefined;
  const [right, down] = WAYS[key],
    axis = right ? "x" : "y",
    across = right ? "y" : "x",
    sense = right + down;
  const ahead = boxes.flatMap((box, i) => (sense * (box[axis] - boxes[from][axis]) > 1 ? [i] : []));
  const straight = ahead.filter((i) => shares(boxes[i], boxes[from], across));
  if (straight.length) return nearest(straight, boxes, from, axis, across);
  return right ? Math.max(0, Math.min(last, from + right)) : (nearest(ahead, boxes, from, axis, across) ?? from);
}

/** @param {number[]} among @param {Rectangle[]} boxes @param {number} from @param {Axis} axis @param {Axis} across */
function nearest(among, boxes, from, axis, across) {
  /** @param {number} i @param {Axis} side */
  const away = (i, side) => Math.abs(boxes[i][side] - boxes[from][side]);
  return among.toSorted((i, j) => away(i, axis) - away(j, axis) || away(i, across) - away(j, across))[0];
}

/**
 * Whether two stand in one line: the middle of each is within the other's side.
 * @param {Rectangle} one @param {Rectangle} other @param {Axis} side
 */
function shares(one, other, side) {
  const size = side === "x" ? "width" : "height";
  return Math.abs(one[side] - other[side]) < Math.max(one[size], other[size]) / 2;
}

/** @param {Element} element */
function middleOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
}
