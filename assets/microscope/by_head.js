import { resolve } from "./rules.js";

/**
 * What each head adds to a sum over what the heads were joined to; empty where it is over something
 * else.
 * @param {Term[]} products @param {Trace} trace
 */
export function byHead(products, trace) {
  const sums = new Map();
  for (const { value, parts } of products) {
    const head = parts[0]?.address ? headOf(parts[0].address, trace) : null;
    if (head !== null) sums.set(head, (sums.get(head) ?? 0) + value);
  }
  return [...sums];
}

/**
 * The head that a cell was copied from.
 * @param {Address} address @param {Trace} trace
 */
function headOf({ stage, index }, trace) {
  const { rule, roles } = trace.stage(stage),
    axis = rule.rule === "operand" ? trace.stage(rule.stage).roles.indexOf("head") : -1;
  if (axis < 0 || roles.includes("head")) return null;
  return resolve(rule.index[axis], Object.fromEntries(roles.map((role, i) => [role, index[i]])), trace.read);
}
