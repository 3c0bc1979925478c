import { shape } from "../shared/svg.js";
import { turned } from "./rotation.js";

const RADIUS = 100,
  ARC = 30;

/** @typedef {[number, number]} Arrow */

/**
 * A dial with two arrows, which are drawn as long as the longer one allows.
 * whole: with the arrows before they are turned, and the angle between the two.
 * @param {boolean} whole
 */
export function dialOf(whole) {
  const edge = RADIUS + 12;
  const arc = shape("path", { class: "arc" }),
    circles = [shape("circle", { class: "rim", r: RADIUS }), shape("circle", { class: "hub", r: whole ? 3 : 6 })],
    viewBox = `${-edge} ${-edge} ${2 * edge} ${2 * edge}`,
    svg = shape("svg", { viewBox, "aria-hidden": "true" }, [...circles, arc]);
  const [q0, k0, q1, k1] = ["query before", "key before", "query", "key"].map((name) => arrowOf(svg, name));

  /** @param {Arrow} q @param {Arrow} k @param {number} turnOfQ @param {number} turnOfK */
  const show = (q, k, turnOfQ, turnOfK) => {
    const size = Math.max(Math.hypot(...q), Math.hypot(...k)) || 1;
    const ends = [q, k, turned(q, turnOfQ), turned(k, turnOfK)].map(endOf(size));
    if (whole) {
      q0(ends[0]);
      k0(ends[1]);
      arc.setAttribute("d", arcOf(ends[2], ends[3]));
    }
    q1(ends[2]);
    k1(ends[3]);
  };
  return { svg, show };
}

/** @param {number} size @returns {(arrow: Arrow) => Arrow} */
const endOf = (size) => (arrow) => [(arrow[0] * RADIUS) / size, (-arrow[1] * RADIUS) / size];

/** @param {SVGSVGElement} svg @param {string} name @returns {(end: Arrow) => void} */
function arrowOf(svg, name) {
  const group = svg.appendChild(shape("g", { class: name })),
    line = group.appendChild(shape("line")),
    head = group.appendChild(shape("circle", { r: 7 }));
  return ([x, y]) => {
    line.setAttribute("x2", String(x));
    line.setAttribute("y2", String(y));
    head.setAttribute("cx", String(x));
    head.setAttribute("cy", String(y));
  };
}

/** The arc from one arrow to the other, the short way. @param {Arrow} from @param {Arrow} to */
function arcOf(from, to) {
  const [one, other] = [from, to].map(([x, y]) => Math.atan2(y, x));
  const way = Math.atan2(Math.sin(other - one), Math.cos(other - one));
  const [start, end] = [one, one + way].map((angle) => `${ARC * Math.cos(angle)} ${ARC * Math.sin(angle)}`);
  return `M ${start} A ${ARC} ${ARC} 0 0 ${way > 0 ? 1 : 0} ${end}`;
}
