import { plain } from "../microscope/engine/numbers.js";
import { make } from "../shared/dom.js";
import { shape } from "../shared/svg.js";

const WIDE = 100,
  HIGH = 100,
  EVERY = 8;

/**
 * A score over the distance: that of all pairs, that of the chosen one, and where the reader is.
 * @param {string} title @param {string} across
 */
export function curveOf(title, across) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const [zero, part, all] = ["zero", "part", "all"].map((name) => svg.appendChild(shape("path", { class: name })));
  const dot = make("span", "dot"),
    high = make("span", "high"),
    low = make("span", "low"),
    ticks = make("div", "ticks");
  const plot = make("div", "plot", [svg, dot, high, low]),
    root = make("figure", "curve", [make("figcaption", "", title), plot, ticks, make("p", "across", across)]);

  /** @param {number[]} whole @param {number[]} one @param {number} distance */
  const show = (whole, one, distance) => {
    const top = Math.max(...whole, ...one, 0),
      bottom = Math.min(...whole, ...one, 0),
      span = top - bottom || 1,
      last = whole.length - 1;
    /** @param {number} value */
    const y = (value) => ((top - value) / span) * HIGH;
    /** @param {number[]} values */
    const path = (values) => `M ${values.map((value, at) => `${(at / last) * WIDE} ${y(value)}`).join(" L ")}`;
    zero.setAttribute("d", `M 0 ${y(0)} H ${WIDE}`);
    part.setAttribute("d", path(one));
    all.setAttribute("d", path(whole));
    dot.style.left = `${(distance / last) * 100}%`;
    dot.style.top = `${y(whole[distance])}%`;
    high.textContent = plain(top);
    low.textContent = plain(bottom);
    const marks = [];
    for (let at = 0; at <= last; at += EVERY) {
      const mark = make("span", "", String(at));
      mark.style.left = `${(at / last) * 100}%`;
      marks.push(mark);
    }
    ticks.replaceChildren(...marks);
  };
  return { root, show };
}
