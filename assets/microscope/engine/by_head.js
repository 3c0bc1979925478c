import { resolve } from "./rules.js";

/**
 * The contribution of each head to a sum over concat; empty for a sum over another axis.
 * @param {Term[]} products @param {Trace} trace
 * @returns {[head: number, value: number][]}
 */
export function byHead(products, trace) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { value, parts } of products) {
    const head = parts[0]?.address ? headOf(parts[0].address, trace) : null;
    if (head !== null) sums.set(head, (sums.get(head) ?? 0) + value);
  }
  return [...sums];
}

/**
 * The head from which a cell of concat was copied.
 * @param {Address} address @param {Trace} trace
 */
function headOf({ stage, index }, trace) {
  const { rule, roles } = trace.stage(stage);
  if (rule.rule !== "operand" || roles.includes("head")) return null;
  const axis = trace.stage(rule.stage).roles.indexOf("head");
  if (axis < 0) return null;
  return resolve(rule.index[axis], Object.fromEntries(roles.map((role, i) => [role, index[i]])), trace.read);
}
