import { FUNCTIONS } from "./activations.js";
import { resolve } from "./index.js";
import { shortened } from "./names.js";
import { rowOf } from "./row.js";

const ROWS = 64; // kept

// The stages that the server sent: their numbers, and how a number that was not sent follows.
export class Trace {
  constructor(scene) {
    Object.assign(this, scene);
    this.read = (key, index) => this.value(key, index);
    this.rows = new Map();
    this.ways = new WeakMap();
  }

  stage(key) {
    return this.stages[key];
  }

  drawing(key) {
    return this.drawings[key];
  }

  size(key, role) {
    const place = this.stages[key].roles.indexOf(role);
    return place < 0 ? 1 : this.stages[key].shape[place];
  }

  // The name of a place along an axis; its number, counted from 1, where it has none.
  label(key, axis, place) {
    const names = this.stages[key].names[axis];
    return names === null ? String(place + 1) : shortened(this.names[names][place]);
  }

  labelsOf(key, index) {
    return index.map((place, axis) => this.label(key, axis, place));
  }

  // Where a cell stands in its array; -1 where it was not sent as a number.
  offset(key, index) {
    const held = this.held[key];
    if (!held || held.form === "places") return -1;
    return this.offsetIn(this.arrays[key].shape, held.begins, index);
  }

  offsetIn(shape, begins, index) {
    let offset = 0;
    for (let axis = 0; axis < shape.length; axis++) {
      const place = index[axis] - begins[axis];
      if (place < 0 || place >= shape[axis]) return -1;
      offset = offset * shape[axis] + place;
    }
    return offset;
  }

  value(key, index) {
    const offset = this.offset(key, index);
    if (offset < 0) return this.followed(key, index);
    const number = this.arrays[key].values[offset];
    return this.held[key].form === "table" ? this.arrays[`${key}.table`].values[number] : number;
  }

  // A number that was not sent is made by its rule, in the precision that the stage has.
  followed(key, index) {
    const { rule, roles } = this.stages[key];
    const at = {};
    roles.forEach((role, axis) => (at[role] = index[axis]));
    return this.rounded(key, this.made(rule, at, key));
  }

  rounded(key, value) {
    return this.stages[key].type === "f4" ? Math.fround(value) : value;
  }

  cell(operand, at) {
    return this.value(operand.stage, operand.index.map((part) => resolve(part, at, this.read)));
  }

  made(rule, at, key) {
    switch (rule.rule) {
      case "operand": return this.cell(rule, at);
      case "constant": return rule.value;
      case "sum": return rule.parts.reduce((sum, part) => sum + this.made(part, at, key), 0);
      case "product": return this.multiplied(rule.factors, at, key);
      case "mask": return rule.allowed.every((mask) => this.cell(mask, at)) ? this.made(rule.of, at, key) : -Infinity;
      case "activation": return FUNCTIONS[rule.function](this.made(rule.of, at, key));
      case "stack": return this.cell(...stacked(rule, at));
      case "dot": return this.dot(rule, at);
      case "softmax": {
        const { row, maximum, total } = this.whole(rule, at, key, powersOf);
        return maximum === -Infinity ? 0 : Math.exp(row[at[rule.along]] - maximum) / total;
      }
      case "normalise": {
        const { row, mean, variance } = this.whole(rule, at, key, spreadOf);
        return (row[at[rule.along]] - mean) / Math.sqrt(variance + rule.epsilon);
      }
    }
    throw new RangeError(`${key} is not here`);
  }

  dot({ left, right, over, size }, at) {
    const [one, other] = [left, right].map((operand) => this.along(operand, over, at) ?? this.across(operand, over, at, size));
    let sum = 0;
    for (let i = 0; i < size; i++) sum += one.values[one.first + i * one.step] * other.values[other.first + i * other.step];
    return sum;
  }

  // The same where they have to be fetched, or made: once for all cells that they go into.
  across(operand, over, at, size) {
    const name = `${operand.stage} ${over} ${operand.index.flat(Infinity).map((part) => (part === over ? part : at[part] ?? part))}`;
    return this.once(name, () => ({ values: rowOf(this, operand, over, at, size), first: 0, step: 1 }));
  }

  // The numbers of an operand along one axis where they stand in even steps; null elsewhere.
  along(operand, over, at) {
    if (!this.ways.has(operand)) this.ways.set(operand, this.wayAlong(operand, over));
    const way = this.ways.get(operand);
    if (!way) return null;
    let first = 0;
    for (const { part, begin, size, step } of way.others) {
      const place = (typeof part === "number" ? part : at[part]) - begin;
      if (place < 0 || place >= size) return null;
      first += place * step;
    }
    return { values: way.values, first, step: way.step };
  }

  wayAlong({ stage, index }, over) {
    const held = this.held[stage], axis = index.indexOf(over);
    if (held?.form !== "numbers" || axis < 0) return null;
    const { shape, values } = this.arrays[stage];
    const steps = shape.map((_, i) => shape.slice(i + 1).reduce((product, n) => product * n, 1));
    const others = index.map((part, i) => ({ part, begin: held.begins[i], size: shape[i], step: steps[i] })).filter((_, i) => i !== axis);
    const isPlain = others.every(({ part }) => typeof part === "number" || (typeof part === "string" && part !== over));
    return isPlain ? { values, others, step: steps[axis] } : null;
  }

  // NumPy has one factor for all cells, in their precision.
  multiplied(factors, at, key) {
    return factors.filter(isPart).reduce((product, factor) => product * this.made(factor, at, key), 1) * this.constantOf(factors, key);
  }

  constantOf(factors, key) {
    return this.rounded(key, factors.reduce((product, factor) => (isPart(factor) ? product : product * factor.value), 1));
  }

  // A row that many cells share, and what they need of it, is made once.
  whole(rule, at, key, factsOf) {
    let name = key;
    for (const role in at) if (role !== rule.along) name += ` ${at[role]}`;
    return this.once(name, () => {
      const row = rowOf(this, rule.of, rule.along, at, rule.size);
      return { row, ...factsOf(row) };
    });
  }

  once(name, make) {
    if (!this.rows.has(name)) {
      if (this.rows.size > ROWS) this.rows.clear();
      this.rows.set(name, make());
    }
    return this.rows.get(name);
  }
}

const isPart = ({ rule }) => rule !== "constant";

function powersOf(row) {
  const maximum = row.reduce((a, b) => Math.max(a, b), -Infinity);
  return { maximum, total: row.reduce((sum, x) => sum + Math.exp(x - maximum), 0) };
}

function spreadOf(row) {
  const mean = row.reduce((a, b) => a + b, 0) / row.length;
  return { mean, variance: row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length };
}

export function stacked(rule, at) {
  let place = at[rule.along], part = 0;
  while (place >= rule.lengths[part]) place -= rule.lengths[part++];
  return [rule.parts[part], at];
}
