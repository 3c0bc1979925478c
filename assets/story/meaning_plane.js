import { shape, text } from "../shared/svg.js";
import { filled } from "../microscope/engine/names.js";
import { bare } from "./query_row.js";

const SIZE = 320,
  MIDDLE = SIZE / 2,
  UNIT = 25, // pixels of one
  FAR = MIDDLE - 16;

/**
 * The plane of what a word may mean: where it starts, what each word adds to it, and where it lands.
 *
 * added: each a name and what it adds, in the order of the words; other: where the word lands in the other sentence.
 * @param {{
 *   labels: StoryLabels, word: string, start: number[], added: { name: string, by: number[], head: number }[],
 *   other: number[] | null,
 * }} given
 */
export function meaningPlane({ labels, word, start, added, other }) {
  const svg = shape("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", class: "meaning" }, [
    shape("path", { d: `M${MIDDLE} 20V${SIZE - 20}M20 ${MIDDLE}H${SIZE - 20}`, class: "grid" }),
    text(SIZE - 4, MIDDLE - 12, `${labels.right} →`, "axis", "end"),
    text(4, MIDDLE - 12, `← ${labels.left}`, "axis", "start"),
    text(MIDDLE, 8, `↑ ${labels.up}`, "axis"),
    text(MIDDLE, SIZE - 8, `↓ ${labels.down}`, "axis"),
  ]);
  if (other)
    svg.append(
      shape("circle", { cx: x(other), cy: y(other), r: 6, class: "other" }),
      text(x(other), y(other) + 18, labels.elsewhere, "axis"),
    );
  let at = start;
  for (const { name, by, head } of added) {
    const to = at.map((value, d) => value + by[d]);
    svg.append(shape("path", { d: `M${x(at)} ${y(at)}L${x(to)} ${y(to)}`, class: `added head-${head}` }));
    if (Math.hypot(...by) > 1)
      svg.append(text((x(at) + x(to)) / 2, (y(at) + y(to)) / 2 + (by[0] ** 2 > by[1] ** 2 ? 14 : 0), name, "by"));
    at = to;
  }
  svg.append(shape("circle", { cx: x(start), cy: y(start), r: 5, class: "start" }));
  if (added.length) svg.append(text(x(start), y(start) - 14, labels.before, "axis"));
  if (added.length) svg.append(shape("circle", { cx: x(at), cy: y(at), r: 7, class: "new" }));
  const end = added.length ? at : start;
  svg.append(text(x(end), y(end) + (end[1] > 0 ? -16 : 18), word, "word query"));
  const sides = [end[0] > 0 ? labels.right : labels.left, end[1] > 0 ? labels.up : labels.down].join(", ");
  svg.setAttribute("aria-label", filled(labels.lands, { word, at: `(${end.map(bare).join(", ")})`, sides }));
  return svg;
}

/** @param {number[]} point */
const x = ([across]) => MIDDLE + Math.max(-FAR, Math.min(FAR, UNIT * across));
/** @param {number[]} point */
const y = ([, up]) => MIDDLE - Math.max(-FAR, Math.min(FAR, UNIT * up));
