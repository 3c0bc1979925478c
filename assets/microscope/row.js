import { resolve } from "./index.js";

// The numbers of an operand at all places of one role: what Trace.cell gives one by one, but what
// follows by a rule that works number by number is made a row at a time.
export function rowOf(trace, operand, over, at, size) {
  const sent = trace.along(operand, over, at);
  if (sent) return Float64Array.from({ length: size }, (_, i) => sent.values[sent.first + i * sent.step]);
  return followed(trace, operand, over, at, size) ?? eachOf(size, over, at, (place) => trace.cell(operand, place));
}

function eachOf(size, over, at, number) {
  const place = { ...at }, row = new Float64Array(size);
  for (let i = 0; i < size; i++) row[(place[over] = i)] = number(place);
  return row;
}

// A row of a stage that was not sent; null where its places are not the role's own.
function followed(trace, { stage, index }, over, at, size) {
  const axis = index.indexOf(over), places = index.map((part) => (part === over ? 0 : resolve(part, at, trace.read)));
  if (axis < 0 || index.some((part, i) => i !== axis && usesNames(part, over)) || trace.offset(stage, places) >= 0) return null;
  const { roles, rule } = trace.stage(stage);
  const row = made(trace, rule, roles[axis], Object.fromEntries(roles.map((role, i) => [role, places[i]])), size, stage);
  return row.map((value) => trace.rounded(stage, value));
}

const usesNames = (part, over) => part === over || Array.isArray(part);

function made(trace, rule, over, at, size, key) {
  switch (rule.rule) {
    case "operand": return rowOf(trace, rule, over, at, size);
    case "dot": return dots(trace, rule, over, at, size);
    case "product": {
      const row = new Float64Array(size).fill(1);
      for (const factor of rule.factors) if (factor.rule !== "constant") made(trace, factor, over, at, size, key).forEach((value, i) => (row[i] *= value));
      const constant = trace.constantOf(rule.factors, key);
      return row.map((value) => value * constant);
    }
    case "mask": {
      const row = made(trace, rule.of, over, at, size, key);
      for (const mask of rule.allowed) rowOf(trace, mask, over, at, size).forEach((passes, i) => passes || (row[i] = -Infinity));
      return row;
    }
  }
  return eachOf(size, over, at, (place) => trace.made(rule, place, key));
}

// One vector against many, which stand in even steps where they were sent.
function dots(trace, rule, over, at, size) {
  const { left, right, over: summed, size: terms } = rule, [still, moving] = left.index.includes(over) ? [right, left] : [left, right];
  const [first, last] = [0, size - 1].map((place) => trace.along(moving, summed, { ...at, [over]: place }));
  if (!first || !last || still.index.includes(over)) return eachOf(size, over, at, (place) => trace.dot(rule, place));
  const vector = rowOf(trace, still, summed, at, terms), stride = (last.first - first.first) / Math.max(1, size - 1);
  return eachOf(size, over, at, ({ [over]: place }) => {
    let sum = 0;
    for (let i = 0, next = first.first + place * stride; i < terms; i++, next += first.step) sum += vector[i] * first.values[next];
    return sum;
  });
}
