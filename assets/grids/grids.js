import { roving } from "../microscope/roving.js";
import { setIn } from "../microscope/symbols.js";
import { css, digitsOn } from "../microscope/theme.js";

// Matrices side by side as tables, or as pictures where they have too many cells for numbers.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("section") ?? parentElement.appendChild(document.createElement("section"));
  const held = root.getRootNode().activeElement?.dataset.cell,
    stop = root.querySelector("button[tabindex='0']")?.dataset.cell;
  const at = (cell) => root.querySelector(`[data-cell="${cell}"]`);
  const text = getComputedStyle(root)
    .color.match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
  const theme = digitsOn(text) === "#000000" ? "dark" : "light";
  root.replaceChildren(
    ...data.grids.flatMap((grid, number) => {
      const say =
        data.clicks && !grid.fixed
          ? (row, column) => setTriggerValue("cell", { grid: number, row, column, at: Date.now() })
          : null;
      return [figureOf(grid, number, theme, say), ...(grid.sign ? [made("b", grid.sign, "sign")] : [])];
    }),
  );
  roving(root, "button", at(stop));
  scrolledByKey(root);
  if (held) at(held)?.focus();
}

// A matrix that is wider than its frame is a Tab stop, unless its cells are buttons that lead through it.
function scrolledByKey(root) {
  root.resized ??= new ResizeObserver((changed) =>
    changed.forEach(({ target }) => {
      const frame = target.closest(".frame"),
        isWider = frame.scrollWidth > frame.clientWidth;
      for (const [name, value] of Object.entries({ tabindex: 0, role: "group", "aria-label": nameOf(frame) })) {
        if (isWider) frame.setAttribute(name, value);
        else frame.removeAttribute(name);
      }
    }),
  );
  root.resized.disconnect();
  const frames = [...root.querySelectorAll(".frame")].filter((frame) => !frame.querySelector("button"));
  for (const frame of frames) for (const one of [frame, frame.firstChild]) root.resized.observe(one);
}

const nameOf = (frame) => frame.parentElement.querySelector("figcaption").textContent;

function figureOf(grid, number, theme, say) {
  const figure = document.createElement("figure"),
    title = made("figcaption", "", "");
  title.append(setIn(made("span", "", "symbol"), grid.title));
  figure.append(
    title,
    grid.printed ? tableOf(grid, number, grid.ramps[theme], say) : pictureOf(grid, grid.ramps[theme]),
  );
  figure.classList.toggle("small", Boolean(grid.small));
  if (grid.note) figure.append(setIn(made("p", "", "note"), grid.note));
  return figure;
}

function tableOf(grid, number, ramp, say) {
  const frame = made("div", "", "frame"),
    table = frame.appendChild(document.createElement("table"));
  const [rowRole, columnRole] = grid.roles,
    corner = grid.rows.length > 0;
  if (grid.columns.length) {
    const head = table.createTHead().insertRow();
    if (corner) head.append(document.createElement("td"));
    head.append(...grid.columns.map((name) => headed(name, columnRole, "col")));
  }
  const body = table.createTBody();
  grid.printed.forEach((row, i) => {
    const line = body.insertRow();
    if (corner) line.append(headed(grid.rows[i], rowRole, "row"));
    line.append(...row.map((printed, j) => cellOf(grid, number, i, j, printed, ramp, say)));
    if (grid.after.length) line.append(made("td", grid.after[i], "after"));
  });
  if (grid.below.length) {
    const foot = table.createTFoot().insertRow();
    if (corner) foot.append(document.createElement("td"));
    foot.append(...grid.below.map((text) => made("td", text, "after")));
  }
  return frame;
}

function cellOf(grid, number, i, j, printed, ramp, say) {
  const cell = made("td", "", "cell"),
    struck = grid.struck?.[i][j],
    covered = grid.covered?.[i][j];
  const ground = ramp[grid.places[i][j]],
    shown = covered ? "?" : printed;
  cell.classList.toggle("struck", Boolean(struck));
  cell.classList.toggle("marked", Boolean(grid.marked?.[i][j]));
  cell.classList.toggle("covered", Boolean(covered));
  if (!struck && !covered) {
    cell.style.background = css(ground);
    cell.style.color = digitsOn(ground);
  }
  if (!say) cell.textContent = shown;
  else {
    const button = cell.appendChild(made("button", shown, ""));
    button.type = "button";
    button.dataset.cell = `${number} ${i} ${j}`;
    button.setAttribute("aria-label", [grid.rows[i] ?? i + 1, grid.columns[j] ?? j + 1, shown].join(", "));
    button.onclick = () => say(i, j);
  }
  return cell;
}

function pictureOf(grid, ramp) {
  const canvas = made("canvas", "", ""),
    rows = grid.places.length,
    columns = grid.places[0].length;
  Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext("2d"),
    image = pen.createImageData(columns, rows);
  grid.places.flat().forEach((place, i) => image.data.set([...ramp[place], 255], 4 * i));
  pen.putImageData(image, 0, 0);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${grid.title} ${rows} × ${columns}`);
  return canvas;
}

function headed(text, role, scope) {
  const element = made("th", text, role);
  element.scope = scope;
  element.title = text;
  return element;
}

function made(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}
