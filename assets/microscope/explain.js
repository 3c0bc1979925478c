import { FUNCTIONS } from "./activations.js";
import { resolve } from "./index.js";
import { rowOf as valuesOf } from "./row.js";
import { stacked } from "./trace.js";

// One number of one stage, opened: what core/cell.py does, from the same rules.
export function explain(trace, key, index) {
  const { roles, rule } = trace.stage(key), value = trace.value(key, index);
  const at = Object.fromEntries(roles.map((role, axis) => [role, index[axis]]));
  const made_by = rule.rule === "given" ? term("given", value, [], { symbol: rule.what }) : made(trace, rule, at);
  return { address: address(trace, key, index), value, made_by };
}

function term(operation, value, parts, more = {}) {
  return { operation, value, parts, address: null, symbol: "", chosen: 0, facts: {}, ...more };
}

function address(trace, stage, index) {
  return {
    stage,
    index,
    get labels() {
      return trace.labelsOf(stage, index);
    },
  };
}

function made(trace, rule, at) {
  switch (rule.rule) {
    case "operand": return cell(trace, rule, at);
    case "constant": return term("constant", rule.value, [], { symbol: rule.symbol });
    case "dot": {
      const products = Array.from({ length: rule.size }, (_, i) => product(trace, [rule.left, rule.right], { ...at, [rule.over]: i }));
      return term("dot", exactSum(products.map((part) => part.value)), products);
    }
    case "sum": {
      const parts = rule.parts.map((part) => made(trace, part, at));
      return term("sum", parts.reduce((sum, part) => sum + part.value, 0), parts);
    }
    case "product": return product(trace, rule.factors, at);
    case "mask": {
      const inner = made(trace, rule.of, at), masks = rule.allowed.map((mask) => cell(trace, mask, at));
      return term("mask", masks.every((mask) => mask.value) ? inner.value : -Infinity, [inner, ...masks]);
    }
    case "softmax": return softmax(trace, rule, at);
    case "normalise": return normalise(trace, rule, at);
    case "activation": {
      const inner = made(trace, rule.of, at);
      return term("activation", FUNCTIONS[rule.function](inner.value), [inner], { symbol: rule.function });
    }
    case "stack": return cell(trace, ...stacked(rule, at));
  }
  throw new TypeError(`not a rule for a computed cell: ${rule.rule}`);
}

function cell(trace, operand, at, value) {
  const index = operand.index.map((part) => resolve(part, at, trace.read));
  return term("cell", value ?? trace.value(operand.stage, index), [], { address: address(trace, operand.stage, index) });
}

function product(trace, factors, at) {
  const parts = factors.map((factor) => made(trace, factor, at));
  return term("product", parts.reduce((value, part) => value * part.value, 1), parts);
}

function rowOf(trace, rule, at) {
  const values = valuesOf(trace, rule.of, rule.along, at, rule.size);
  return Array.from(values, (value, i) => cell(trace, rule.of, { ...at, [rule.along]: i }, value));
}

function softmax(trace, rule, at) {
  const row = rowOf(trace, rule, at), maximum = row.reduce((most, part) => Math.max(most, part.value), -Infinity);
  const shift = maximum > -Infinity ? maximum : 0;
  const exponentials = row.map((part) => term("exponential", Math.exp(part.value - shift), [part]));
  const total = exactSum(exponentials.map((part) => part.value)), chosen = at[rule.along];
  return term("softmax", total ? exponentials[chosen].value / total : 0, exponentials, { chosen, facts: { maximum, total } });
}

function normalise(trace, { epsilon, ...rule }, at) {
  const row = rowOf(trace, rule, at), chosen = at[rule.along];
  const mean = exactSum(row.map((part) => part.value)) / rule.size;
  const variance = exactSum(row.map((part) => (part.value - mean) ** 2)) / rule.size;
  return term("normalise", (row[chosen].value - mean) / Math.sqrt(variance + epsilon), row, { chosen, facts: { mean, variance, epsilon } });
}

// The rounded true sum, as Python's math.fsum: partial sums that do not overlap (Shewchuk, 1997).
function exactSum(values) {
  const partials = [];
  for (let x of values) {
    if (!Number.isFinite(x)) return values.reduce((sum, value) => sum + value, 0);
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y, low = y - (high - x);
      if (low) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }
  return rounded(partials);
}

function rounded(partials) {
  let n = partials.length, high = n ? partials[--n] : 0, low = 0;
  while (n > 0) {
    const x = high, y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low) break;
  }
  // Half-way cases round to even only if what is left agrees in sign.
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    const y = low * 2, x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}
