import { resolve } from "./index.js";

// The stages that the server sent: their numbers, and how a number that was not sent follows.
export class Trace {
  constructor(scene) {
    Object.assign(this, scene);
    this.read = (key, index) => this.value(key, index);
    this.rows = new Map();
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
    return names === null ? String(place + 1) : this.names[names][place];
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
      case "stack": return this.cell(...stacked(rule, at));
      case "dot": return this.dot(rule, at);
      case "softmax": {
        const row = this.whole(rule, at, key), maximum = row.reduce((a, b) => Math.max(a, b), -Infinity);
        if (maximum === -Infinity) return 0;
        return Math.exp(row[at[rule.along]] - maximum) / row.reduce((sum, x) => sum + Math.exp(x - maximum), 0);
      }
      case "normalise": {
        const row = this.whole(rule, at, key), mean = row.reduce((a, b) => a + b, 0) / rule.size;
        const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / rule.size;
        return (row[at[rule.along]] - mean) / Math.sqrt(variance + rule.epsilon);
      }
    }
    throw new RangeError(`${key} is not here`);
  }

  dot({ left, right, over, size }, at) {
    const [one, other] = [left, right].map((operand) => this.along(operand, over, at));
    let sum = 0;
    if (one && other) {
      for (let i = 0; i < size; i++) sum += one.values[one.first + i * one.step] * other.values[other.first + i * other.step];
      return sum;
    }
    for (let i = 0; i < size; i++) {
      const place = { ...at, [over]: i };
      sum += this.cell(left, place) * this.cell(right, place);
    }
    return sum;
  }

  // The numbers of an operand along one axis where they stand in even steps; null elsewhere.
  along({ stage, index }, over, at) {
    const held = this.held[stage], axis = index.indexOf(over);
    const others = index.every((part, i) => i === axis || typeof part === "number" || (typeof part === "string" && part !== over));
    if (held?.form !== "numbers" || axis < 0 || !others) return null;
    const { shape, values } = this.arrays[stage], place = { ...at, [over]: held.begins[axis] };
    const first = this.offsetIn(shape, held.begins, index.map((part) => resolve(part, place, this.read)));
    if (first < 0) return null;
    return { values, first, step: shape.slice(axis + 1).reduce((product, n) => product * n, 1) };
  }

  // NumPy has one factor for all cells, in their precision.
  multiplied(factors, at, key) {
    let constant = 1, product = 1;
    for (const factor of factors) {
      if (factor.rule === "constant") constant *= factor.value;
      else product *= this.made(factor, at, key);
    }
    return product * this.rounded(key, constant);
  }

  // A row that many cells share is made once.
  whole(rule, at, key) {
    const name = `${key} ${Object.entries(at).filter(([role]) => role !== rule.along)}`;
    if (!this.rows.has(name)) {
      if (this.rows.size > 64) this.rows.clear();
      this.rows.set(name, Float64Array.from({ length: rule.size }, (_, i) => this.cell(rule.of, { ...at, [rule.along]: i })));
    }
    return this.rows.get(name);
  }
}

export function stacked(rule, at) {
  let place = at[rule.along], part = 0;
  while (place >= rule.lengths[part]) place -= rule.lengths[part++];
  return [rule.parts[part], at];
}
