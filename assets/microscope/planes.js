import { isAdditive, resolve, substitute } from "./index.js";
import { plain } from "./numbers.js";

// The cells of a plane: ``numbers`` row by row, or only ``places`` along the colour scale where the
// numbers of a large plane were not sent. ``at`` says where the axes stand that are not drawn.
export function cellsOf(trace, plane, at) {
  const { rows, columns } = plane, free = new Set([rows.role, columns.role]);
  const name = plane.index.map((part) => heldBy(part, free, at)).join("|");
  trace.cells ??= new Map();
  const key = `${plane.stage} ${rows.role} ${columns.role} ${name}`;
  if (!trace.cells.has(key)) trace.cells.set(key, made(trace, plane, at));
  return trace.cells.get(key);
}

function heldBy(part, free, at) {
  if (typeof part === "string") return free.has(part) ? part : at[part];
  if (typeof part === "number") return part;
  return part.flat(9).map((inner) => (typeof inner === "string" && !free.has(inner) ? (at[inner] ?? inner) : inner)).join();
}

function made(trace, plane, at) {
  const { stage, rows, columns } = plane;
  const grid = { rows: rows.role, columns: columns.role, height: rows.size, width: columns.size, at };
  const scale = trace.stage(stage).scale, size = rows.size * columns.size;
  if (trace.held[stage]?.form === "places") {
    const places = picked(trace, stage, plane.index, grid, trace.arrays[stage].values);
    return { numbers: null, places: Uint8Array.from(places), masked: places.map((place) => (place ? 0 : 1)) };
  }
  const numbers = numbersOf(trace, stage, plane.index, grid), masked = new Uint8Array(size), places = new Uint8Array(size);
  const struck = struckBy(trace, plane, grid);
  const span = scale.high - scale.low || 1;
  for (let i = 0; i < size; i++) {
    masked[i] = !Number.isFinite(numbers[i]) || (struck && struck[i] === -Infinity) ? 1 : 0;
    const part = Math.min(1, Math.max(0, (numbers[i] - scale.low) / span));
    places[i] = masked[i] ? 0 : Math.round((scale.root ? Math.sqrt(part) : part) * 255);
  }
  return { numbers, places, masked };
}

function struckBy(trace, plane, grid) {
  const other = trace.stage(plane.stage).struck_by;
  return other && trace.held[other]?.form !== "places" ? numbersOf(trace, other, plane.index, grid) : null;
}

function numbersOf(trace, key, index, grid) {
  const held = trace.held[key], stage = trace.stage(key);
  if (held && held.form !== "places") {
    const { values } = trace.arrays[key], found = picked(trace, key, index, grid, values);
    const table = held.form === "table" && trace.arrays[`${key}.table`].values;
    return table ? found.map((place) => table[place]) : found;
  }
  const by = Object.fromEntries(stage.roles.map((role, axis) => [role, index[axis]]));
  const numbers = byRule(trace, key, stage.rule, by, grid);
  return stage.type === "f4" ? numbers.map(Math.fround) : numbers;
}

// A rule over single cells, worked out for the whole plane at once.
function byRule(trace, key, rule, by, grid) {
  const size = grid.height * grid.width, of = (part) => byRule(trace, key, part, by, grid);
  switch (rule.rule) {
    case "operand": return numbersOf(trace, rule.stage, rule.index.map((part) => substitute(part, by)), grid);
    case "constant": return new Float64Array(size).fill(trace.rounded(key, rule.value));
    case "sum": return rule.parts.map(of).reduce((sum, part) => sum.map((value, i) => value + part[i]));
    case "product": {
      const constants = rule.factors.filter((factor) => factor.rule === "constant");
      const constant = trace.rounded(key, constants.reduce((product, factor) => product * factor.value, 1));
      const rest = rule.factors.filter((factor) => factor.rule !== "constant").map(of);
      return rest.reduce((product, part) => product.map((value, i) => value * part[i])).map((value) => value * constant);
    }
    case "mask": {
      const masks = rule.allowed.map(of);
      return of(rule.of).map((value, i) => (masks.every((mask) => mask[i]) ? value : -Infinity));
    }
  }
  return oneByOne(trace, key, by, grid);
}

function oneByOne(trace, key, by, { rows, columns, height, width, at }) {
  const found = new Float64Array(height * width), place = { ...at }, { roles } = trace.stage(key);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      place[rows] = row;
      place[columns] = column;
      found[row * width + column] = trace.value(key, roles.map((role) => resolve(by[role], place, trace.read)));
    }
  }
  return found;
}

// Reads an array where each index is a part of the row plus a part of the column: two tables do.
function picked(trace, key, index, { rows, columns, height, width, at }, values) {
  const { shape } = trace.arrays[key], { begins } = trace.held[key];
  const found = new Float64Array(height * width);
  const offset = (row, column) => {
    const place = { ...at, [rows]: row, [columns]: column };
    return trace.offsetIn(shape, begins, index.map((part) => resolve(part, place, trace.read)));
  };
  if (index.every((part) => isAdditive(part, rows, columns))) {
    const first = offset(0, 0);
    if (first < 0) return found.fill(NaN);
    const down = Array.from({ length: height }, (_, row) => offset(row, 0));
    const right = Array.from({ length: width }, (_, column) => offset(0, column) - first);
    for (let row = 0, i = 0; row < height; row++) for (let column = 0; column < width; column++) found[i++] = values[down[row] + right[column]];
    return found;
  }
  for (let row = 0, i = 0; row < height; row++) for (let column = 0; column < width; column++) found[i++] = values[offset(row, column)];
  return found;
}

// What stands in a cell, short enough for it.
export function printed(trace, plane, cells, i) {
  const { type } = trace.stage(plane.stage);
  if (type === "b1") return cells.numbers[i] ? "✓" : "×";
  if (type[0] === "i" || type[0] === "u") return String(cells.numbers[i]);
  if (cells.masked[i] && cells.numbers[i] === 0) return "0";
  return plain(cells.numbers[i], 2);
}

// The number of a cell of a plane, also where only its colour was sent.
export function indexAt(trace, plane, at, row, column) {
  const place = { ...at, [plane.rows.role]: row, [plane.columns.role]: column };
  return plane.index.map((part) => resolve(part, place, trace.read));
}
