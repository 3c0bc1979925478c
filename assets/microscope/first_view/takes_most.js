import { asWord } from "../engine/names.js";
import { perCent } from "../engine/numbers.js";
import { isNearlyEven, positionName } from "../engine/readings.js";

const SPECIAL = ["special", "cls"],
  LEFT = 0.4; // a share of the first token that is worth a word

/** Whether a token was put there by the model. @param {Trace} trace @param {number} token */
export const isSpecial = (trace, token) =>
  SPECIAL.includes(trace.kind("weights", trace.stage("weights").roles.indexOf("key"), token));

/** Whether a name is shown cut off. @param {string} shown @param {string} name */
const isCut = (shown, name) => shown.endsWith("…") && name.startsWith(shown.slice(0, -1));

/** What a special token is; undefined if it is a word. @param {Trace} trace @param {FirstViewTexts | null} texts @param {number} token */
export function specialNote(trace, texts, token) {
  if (!isSpecial(trace, token)) return undefined;
  const shown = tokenName(trace, "key", token);
  return Object.entries(texts?.special ?? {}).find(([name]) => name === shown || isCut(shown, name))?.[1];
}

/** What the special tokens of this text are, each once. @param {Trace} trace @param {FirstViewTexts | null} texts */
export function specialNotes(trace, texts) {
  const all = [...Array(trace.size("weights", "key")).keys()].flatMap(
    (token) => specialNote(trace, texts, token) ?? [],
  );
  return [...new Set(all)];
}

/** Whether the words that look are others than those that they look at. @param {Trace} trace */
export const isCross = (trace) => Boolean(trace.stage("memory"));

/**
 * The name of a query or a key as a word of its text. rows: names of the queries, if the machine has others.
 * @param {Trace} trace @param {"query" | "key"} role @param {number} token @param {string[]} [rows]
 */
export function tokenName(trace, role, token, rows) {
  const [name] = positionName(trace, "weights", role, token);
  return asWord((role === "query" && rows?.[token]) || name);
}

/**
 * The one plain line about the word that looks: the name of its template, and the fields.
 * @param {Trace} trace @param {AttentionRow} row @param {string[]} [rows]
 * @returns {[name: string, fields: Record<string, string | Span>]}
 */
export function takesMost(trace, { query, keys, shares, isCausal }, rows) {
  /** @param {number} token @param {"query" | "key"} role @returns {Span} */
  const named = (token, role) => [tokenName(trace, role, token, rows), role];
  const [best] = keys,
    row = named(query, "query");
  if (keys.length < 2) return ["takes_alone", { row }];
  const isLeft = isSpecial(trace, best) || (isCausal && best === 0 && query > 1 && shares[best] >= LEFT),
    other = keys.find((key) => !isSpecial(trace, key) && key !== best && (key !== query || isCross(trace))),
    weight = perCent(shares[best]),
    column = named(best, "key");
  if (isSpecial(trace, best) && best !== query && other === undefined) return ["takes_rest", { row, column, weight }];
  if (isLeft && (best !== query || isCross(trace)) && other !== undefined) {
    const fields = { row, column, weight, other: named(other, "key"), share: perCent(shares[other]) };
    return [isSpecial(trace, best) ? "takes_special" : "takes_first", fields];
  }
  if (isNearlyEven(keys.map((key) => shares[key]))) return ["takes_evenly", { row }];
  return best === query && !isCross(trace) ? ["takes_itself", { row, weight }] : ["takes", { row, column, weight }];
}
