import { all, focusedBeside, make, sectionOf, toMicroscope, viewOf, within } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";
import { setIn } from "../microscope/words/symbols.js";
import { css, digitsOn, paletteOf } from "../microscope/theme.js";
import { pixelsOf } from "../shared/pixels.js";
import { header, row, table } from "../shared/table_rows.js";

/**
 * @typedef {{
 *   title: string, rows: string[], columns: string[], roles: [row: string, column: string], levels: number[][],
 *   printed: string[][] | null, ramps: { light: Ramp, dark: Ramp }, is_masked: boolean[][] | null,
 *   marked: boolean[][] | null, covered: boolean[][] | null, after: string[], below: string[], note: string,
 *   sign: string, small: boolean, fixed: boolean,
 * }} Grid
 * @typedef {(row: number, column: number) => void} Say
 */

const SMALLEST = 0.7; // of its size, at which a number is still read

/**
 * Matrices side by side as tables, or as pictures where they have too many cells for numbers.
 * opens: whether a cell opens something in the microscope below.
 * @param {ComponentArgs<{ grids: Grid[], clicks: boolean, opens: boolean }>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = sectionOf(parentElement),
    resized = viewOf(parentElement, () => new ResizeObserver(scrolledByKey));
  const focused = focusedBeside(root)?.dataset.cell,
    stop = [...all(root, "button")].find(({ tabIndex }) => tabIndex === 0)?.dataset.cell;
  /** @param {string | undefined} cell @returns {HTMLElement | null} */
  const at = (cell) => root.querySelector(`[data-cell="${cell}"]`);
  root.replaceChildren(
    ...data.grids.map((grid, number) => {
      /** @type {Say} */
      const say = (row, column) => {
        setTriggerValue("cell", { grid: number, row, column, at: Date.now() });
        if (data.opens) toMicroscope();
      };
      const figure = figureOf(
        grid,
        number,
        paletteOf(root, { palettes: grid.ramps }),
        data.clicks && !grid.fixed ? say : null,
      );
      figure.classList.toggle("again", number > 0 && `${grid.rows}` === `${data.grids[0].rows}`);
      return signed(figure, data.grids[number - 1]?.sign);
    }),
  );
  roving(root, "button", at(stop));
  resized.disconnect();
  root.classList.toggle(
    "chain",
    data.grids.some(({ sign }) => sign),
  );
  delete root.dataset.width;
  resized.observe(root);
  const frames = [...all(root, ".frame")].filter((frame) => !frame.querySelector("button"));
  for (const frame of frames) for (const one of [frame, ...frame.children]) resized.observe(one);
  if (focused) at(focused)?.focus();
}

/**
 * A matrix that is wider than its frame is a Tab stop, unless its cells are buttons that lead through it.
 * @param {ResizeObserverEntry[]} changed
 */
function scrolledByKey(changed) {
  for (const { target } of changed) {
    if (target instanceof HTMLElement && target.matches(".chain")) inOneLine(target);
    const frame = target.closest(".frame"),
      figure = frame?.closest("figure");
    if (!frame || !figure) continue;
    const isWider = frame.scrollWidth > frame.clientWidth,
      name = within(figure, "figcaption").textContent;
    for (const [attribute, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": name })) {
      if (isWider) frame.setAttribute(attribute, value);
      else frame.removeAttribute(attribute);
    }
  }
}

/**
 * An equation does not break: where it is a little too wide it is drawn smaller. On a phone it wraps at its signs; in
 * presenter view the page finds its size (assets/wall/wall.js).
 * @param {HTMLElement} chain
 */
function inOneLine(chain) {
  const width = String(Math.round(chain.getBoundingClientRect().width));
  if (chain.dataset.width === width) return;
  chain.dataset.width = width;
  chain.style.zoom = "";
  chain.classList.remove("wraps");
  const part = chain.clientWidth / chain.scrollWidth;
  if (part === 1 || document.documentElement.hasAttribute("data-wall")) return;
  if (part < SMALLEST) chain.classList.add("wraps");
  else chain.style.zoom = String(part);
}

/**
 * A matrix behind the sign that leads to it: both wrap onto the next line together.
 * @param {HTMLElement} figure @param {string | undefined} sign
 */
function signed(figure, sign) {
  if (!sign) return figure;
  const both = make("div", "signed");
  both.append(make("b", "sign", sign), figure);
  return both;
}

/** @param {Grid} grid @param {number} number @param {Ramp} ramp @param {Say | null} say */
function figureOf(grid, number, ramp, say) {
  const { printed } = grid,
    title = make("figcaption", "", [setIn(make("span", "symbol"), grid.title)]),
    body = printed ? tableOf(grid, printed, number, ramp, say) : pictureOf(grid, ramp),
    figure = make("figure", "", [title, body]);
  figure.classList.toggle("small", grid.small);
  if (grid.note) figure.append(setIn(make("p", "note"), grid.note));
  return figure;
}

/**
 * @param {Grid} grid @param {string[][]} printed @param {number} number @param {Ramp} ramp @param {Say | null} say
 */
function tableOf(grid, printed, number, ramp, say) {
  const [rowRole, columnRole] = grid.roles,
    corner = () => (grid.rows.length ? [make("td")] : []);
  const rows = printed.map((numbers, i) =>
    row(
      ...(grid.rows.length ? [headed("row", grid.rows[i], rowRole)] : []),
      ...numbers.map((text, j) => cellOf(grid, number, i, j, text, ramp, say)),
      ...(grid.after.length ? [make("td", "after", grid.after[i])] : []),
    ),
  );
  const head = row(...corner(), ...grid.columns.map((name) => headed("col", name, columnRole))),
    foot = row(...corner(), ...grid.below.map((text) => make("td", "after", text)));
  return make("div", "frame scrolls", [
    table(grid.columns.length ? head : null, rows, grid.below.length ? foot : null),
  ]);
}

/**
 * @param {Grid} grid @param {number} number @param {number} i @param {number} j @param {string} printed
 * @param {Ramp} ramp @param {Say | null} say
 */
function cellOf(grid, number, i, j, printed, ramp, say) {
  const cell = make("td", "cell"),
    isMasked = grid.is_masked?.[i][j],
    covered = grid.covered?.[i][j];
  const ground = ramp[grid.levels[i][j]],
    shown = covered ? "?" : printed;
  cell.classList.toggle("masked", Boolean(isMasked));
  cell.classList.toggle("marked", Boolean(grid.marked?.[i][j]));
  cell.classList.toggle("covered", Boolean(covered));
  if (!isMasked && !covered) {
    cell.style.background = css(ground);
    cell.style.color = digitsOn(ground);
  }
  if (!say) cell.textContent = shown;
  else {
    const ariaLabel = [grid.rows[i] ?? i + 1, grid.columns[j] ?? j + 1, shown].join(", "),
      button = cell.appendChild(make("button", "", shown, { ariaLabel, onclick: () => say(i, j) }));
    button.dataset.cell = `${number} ${i} ${j}`;
  }
  return cell;
}

/** @param {Grid} grid @param {Ramp} ramp */
function pictureOf(grid, ramp) {
  const levels = grid.levels.flat(),
    rows = grid.levels.length,
    columns = grid.levels[0].length,
    canvas = pixelsOf(columns, rows, (i) => ramp[levels[i]]);
  return Object.assign(canvas, { role: "img", ariaLabel: `${grid.title} ${rows} × ${columns}` });
}

/** @param {"col" | "row"} scope @param {string} text @param {string} role */
function headed(scope, text, role) {
  return Object.assign(header(scope, text, role), { title: text });
}
