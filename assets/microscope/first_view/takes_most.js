import { asWord } from "../engine/names.js";
import { perCent } from "../engine/numbers.js";
import { isNearlyEven } from "../engine/readings.js";
import { nameOf } from "../figure/labels.js";

const SPECIAL = ["special", "cls"],
  LEFT = 0.4; // a share of the first token that is worth a word

/** Whether a token was put there by the model. @param {Trace} trace @param {number} token */
export const isSpecial = (trace, token) =>
  SPECIAL.includes(trace.kind("weights", trace.stage("weights").roles.indexOf("key"), token));

/** The name of a token. @param {Trace} trace @param {number} token */
export function tokenName(trace, token) {
  const { roles, names } = trace.stage("weights");
  return nameOf(trace, { names: names[roles.indexOf("key")] }, token);
}

/**
 * The one plain line about the word that looks: the name of its template, and the fields.
 * @param {Trace} trace @param {AttentionRow} row
 * @returns {[name: string, fields: Record<string, string | Span>]}
 */
export function takesMost(trace, { query, keys, shares, isCausal }) {
  /** @param {number} token @param {string} role @returns {Span} */
  const named = (token, role) => [asWord(tokenName(trace, token)), role];
  const [best] = keys,
    row = named(query, "query");
  if (keys.length < 2) return ["takes_alone", { row }];
  const isLeft = isSpecial(trace, best) || (isCausal && best === 0 && query > 1 && shares[best] >= LEFT),
    other = keys.find((key) => !isSpecial(trace, key) && key !== best),
    weight = perCent(shares[best]),
    column = named(best, "key");
  if (isLeft && best !== query && other !== undefined) {
    const fields = { row, column, weight, other: named(other, "key"), share: perCent(shares[other]) };
    return [isSpecial(trace, best) ? "takes_special" : "takes_first", fields];
  }
  if (isNearlyEven(keys.map((key) => shares[key]))) return ["takes_evenly", { row }];
  return best === query ? ["takes_itself", { row, weight }] : ["takes", { row, column, weight }];
}
