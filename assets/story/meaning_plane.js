import { MINUS } from "../microscope/engine/numbers.js";
import { shape, text } from "../shared/svg.js";

const WIDTH = 320,
  HEIGHT = 216,
  MIDDLE = [WIDTH / 2, HEIGHT / 2],
  UNIT = 19, // pixels of one
  TICK = 4,
  LINE = [32, 40]; // above and below the middle, what is said of a line

/**
 * The plane of what a word may mean: where it starts, what each word adds to it, and where it lands.
 *
 * added: each a name and what it adds, in the order of the words; elsewhere: where else it may land, and what is said of
 * that; reach: two ends of all the places that it can reach; isLine: it only goes left or right; said: of where it lands.
 * @param {{
 *   labels: StoryLabels, word: string, start: number[], added: { name: string, by: number[], head: number }[],
 *   elsewhere?: { at: number[], name: string }, reach?: number[][], isLine: boolean, said: string,
 * }} given
 */
export function meaningPlane({ labels, word, start, added, elsewhere, reach, isLine, said }) {
  const [top, high] = isLine ? [MIDDLE[1] - LINE[0], LINE[0] + LINE[1]] : [0, HEIGHT],
    viewBox = `0 ${top} ${WIDTH} ${high}`;
  const svg = shape("svg", { viewBox, role: "img", "aria-label": said, class: "meaning" }, [
    shape("path", { d: `M4 ${MIDDLE[1]}H${WIDTH - 4}`, class: "grid" }),
    text(WIDTH - 4, MIDDLE[1] - 11, `${labels.right} →`, "axis", "end"),
    text(4, MIDDLE[1] - 11, `← ${labels.left}`, "axis", "start"),
  ]);
  if (!isLine)
    svg.append(
      shape("path", { d: `M${MIDDLE[0]} 18V${HEIGHT - 18}`, class: "grid" }),
      text(MIDDLE[0], 8, `↑ ${labels.up}`, "axis"),
      text(MIDDLE[0], HEIGHT - 8, `↓ ${labels.down}`, "axis"),
    );
  for (const one of [-TICK, TICK]) {
    const name = String(one).replace("-", MINUS);
    svg.append(text(x([one]), MIDDLE[1] + 15, name, "tick"));
    if (!isLine) svg.append(text(MIDDLE[0] + 6, y([0, one]), name, "tick", "start"));
  }
  if (reach) svg.append(line(reach[0], reach[1], "reach"));
  if (elsewhere)
    svg.append(
      shape("circle", { cx: x(elsewhere.at), cy: y(elsewhere.at), r: 7, class: "other" }),
      text(x(elsewhere.at), y(elsewhere.at) + (elsewhere.at[1] > 1 ? -17 : 30), elsewhere.name, "axis"),
    );
  let at = start;
  for (const { name, by, head } of added) {
    const to = at.map((value, d) => value + by[d]);
    svg.append(line(at, to, `added head-${head}`));
    if (Math.hypot(...by) > 1)
      svg.append(
        by[0] ** 2 > by[1] ** 2
          ? text((x(at) + x(to)) / 2, y(at) + 13, name, "by")
          : text(x(to) + 8, (y(at) + y(to)) / 2, name, "by", "start"),
      );
    at = to;
  }
  svg.append(shape("circle", { cx: x(start), cy: y(start), r: 5, class: "start" }));
  if (added.length)
    svg.append(
      text(x(start), y(start) + (Math.hypot(at[0] - start[0], at[1] - start[1]) < 3 ? 18 : -15), labels.before, "axis"),
      shape("circle", { cx: x(at), cy: y(at), r: 7, class: "new" }),
    );
  const isOnAxis = Math.abs(at[1]) < 1;
  svg.append(
    text(x(at) - (isOnAxis ? 0 : 13), y(at) - (isOnAxis ? 17 : 0), word, "word query", isOnAxis ? "middle" : "end"),
  );
  return svg;
}

/** @param {number[]} from @param {number[]} to @param {string} role */
const line = (from, to, role) => shape("path", { d: `M${x(from)} ${y(from)}L${x(to)} ${y(to)}`, class: role });
/** @param {number[]} point */
const x = ([across]) => MIDDLE[0] + UNIT * across;
/** @param {number[]} point */
const y = ([, up]) => MIDDLE[1] - UNIT * up;
