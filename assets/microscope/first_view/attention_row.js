// The numbers of one query in the chosen head, from its scores to its new vector.

import { range, resolve, softmax } from "../engine/rules.js";

const FEW = 5;

/**
 * A row of a stage of attention: the numbers along its last axis, in the chosen head.
 * @param {Store} store @param {string} key @param {At} at
 */
function rowOf({ trace, head }, key, at) {
  const { roles } = trace.stage(key),
    last = roles.at(-1),
    size = trace.size(key, last);
  /** @type {AtMany} */
  const where = { batch: trace.sample, ...trace.headPositions(key, head), ...at, [last]: range(size) };
  return trace.numbers(
    key,
    roles.map((role) => where[role]),
    size,
  );
}

/** Whether there is attention whose numbers are loaded in the chosen head. @param {Store} store */
export function hasAttention({ trace, head }) {
  const isHere = Boolean(trace.drawing("head_output")) && (trace.head === null || trace.head === head);
  return (
    isHere && Boolean(trace.stage("scores") && trace.stage("scaled")) && trace.stage("head_output").rule.rule === "dot"
  );
}

/** Whether no word looks at later ones: the first one sees itself alone. @param {Store} store */
function isCausal(store) {
  if (!store.trace.stage("masked")) return false;
  const [, ...later] = rowOf(store, "masked", { query: 0 });
  return later.length > 0 && !later.some(Number.isFinite);
}

/**
 * The scores of a query, its shares, which keys it may look at, and those keys, the largest share first.
 * @param {Store} store @param {number} query
 */
export function attentionRow(store, query) {
  const { trace } = store,
    rule = /** @type {Dot} */ (trace.stage("head_output").rule);
  const [shares, scores] = [rule.left.stage, "scores"].map((key) => rowOf(store, key, { query }));
  const masked = trace.stage("masked") ? rowOf(store, "masked", { query }) : scores;
  const keys = [...shares.keys()].filter((key) => Number.isFinite(masked[key]));
  keys.sort((one, other) => shares[other] - shares[one] || one - other);
  return { query, shares, scores, keys, weights: rule.left.stage, isCausal: isCausal(store) };
}

/**
 * By what the scores are divided, of how many products each is the sum, and the shares of the keys if they were not
 * divided: null where more than the scores decides, such as a bias or a cap.
 * @param {Trace} trace @param {AttentionRow} row
 */
export function division(trace, { keys, scores, shares }) {
  const { rule } = trace.stage("scaled"),
    constants =
      rule.rule === "product" ? rule.factors.flatMap((factor) => (factor.rule === "constant" ? factor.value : [])) : [];
  const by = constants.reduce((by, value) => by / value, 1);
  /** @param {number} divisor */
  const shared = (divisor) => [...softmax(Float64Array.from(keys, (key) => scores[key] / divisor)).weights];
  const isWhole = shared(by).every((share, i) => Math.abs(share - shares[keys[i]]) < 0.01);
  return { by, d_k: trace.size("Q", "d_k"), undivided: isWhole ? shared(1) : null };
}

/**
 * The value of each of these keys, and the new vector of the query.
 * @param {Store} store @param {AttentionRow} row @param {number[]} keys
 */
export function mixOf(store, { query }, keys) {
  const { trace, head } = store,
    { right, over } = /** @type {Dot} */ (trace.stage("head_output").rule);
  const width = trace.size("head_output", "d_v"),
    at = { batch: trace.sample, ...trace.headPositions("head_output", head), head, query, d_v: range(width) };
  const values = keys.map((key) =>
    trace.numbers(
      right.stage,
      right.index.map((part) => resolve(part, { ...at, [over]: key }, trace.read)),
      width,
    ),
  );
  return { values, stage: right.stage, vector: rowOf(store, "head_output", { query }) };
}

/**
 * The first few keys and how many are left out, with the sum of their shares. One alone is not left out.
 * @param {AttentionRow} row @param {boolean} all
 */
export function largestOf({ keys, shares }, all) {
  const shown = all || keys.length <= FEW + 1 ? keys : keys.slice(0, FEW);
  const left = keys.slice(shown.length);
  return { shown, left: left.length, share: left.reduce((sum, key) => sum + shares[key], 0) };
}

/**
 * The index in a stage of the cell of a query and another position, in the chosen head.
 * @param {Store} store @param {string} key @param {At} at
 */
export function indexOf({ trace, head }, key, at) {
  /** @type {At} */
  const where = { batch: trace.sample, ...trace.headPositions(key, head), ...at };
  return trace.stage(key).roles.map((role) => where[role]);
}
