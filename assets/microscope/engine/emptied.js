// Which masks leave a query without any key.

import { explain } from "./cell.js";
import { addressOf } from "./terms.js";

/**
 * The names of the masks that hide a whole row of masked scores: those that do it alone, or else all that take part.
 * @param {Trace} trace @param {string} key @param {number[]} index of a cell of the row, or of one at the same positions
 * @returns {string[]}
 */
export function emptiedBy(trace, key, index) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const keys = trace.stage(key).shape.at(-1) ?? 0;
  for (let position = 0; position < keys; position++)
    for (const [name, hides] of hiding(explain(trace, key, [...index.slice(0, -1), position]).made_by))
      counts.set(name, (counts.get(name) ?? 0) + Number(hides));
  const some = [...counts].filter(([, count]) => count),
    all = some.filter(([, count]) => count === keys);
  return (all.length ? all : some).map(([name]) => trace.stage(name).called);
}

/**
 * The stages that may hide a cell, masks and what is added to it, and whether each does.
 * @param {Term} made
 * @returns {[name: string, hides: boolean][]}
 */
function hiding({ operation, parts, value, address }) {
  if (operation === "cell") return address ? [[address.stage, value === -Infinity]] : [];
  if (operation === "round" || operation === "sum") return parts.flatMap(hiding);
  if (operation !== "mask") return [];
  const [inner, ...masks] = parts;
  /** @type {[name: string, hides: boolean][]} */
  const by = masks.map((mask) => [addressOf(mask).stage, !mask.value]);
  return [...by, ...hiding(inner)];
}
