// The rules as the browser works them out, against cells that core.explain opened.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unpacked } from "../../assets/microscope/engine/blob.js";
import { explain } from "../../assets/microscope/engine/cell.js";
import { range } from "../../assets/microscope/engine/rules.js";
import { Trace } from "../../assets/microscope/engine/trace.js";

const FOLDER = process.env.VECTORS;
const cases = JSON.parse(readFileSync(join(FOLDER, "cases.json"), "utf-8"));
const traces = cases.map(({ blob }) => new Trace(unpacked(readFileSync(join(FOLDER, blob)))));

const SERIES = 4; // last bits that may be lost in adding up the series that gives GELU its erf

// Whether two results of numbers as large as these are the same to the last bit or the one before.
function isSame(found, expected, parts, bits = 1) {
  const largest = Math.max(Math.abs(expected), ...parts.map(Math.abs).filter(Number.isFinite));
  return (
    Object.is(found, expected) || found === expected || Math.abs(found - expected) <= bits * largest * Number.EPSILON
  );
}

// Every way in which a term differs from the one that core made.
function differences(found, expected, path) {
  const { operation, value, parts, address, symbol, chosen, facts } = expected,
    all = [];
  const differ = (what, a, b) => all.push(`${path}: ${what} ${a}, not ${b}`);
  if (found.operation !== operation) differ("operation", found.operation, operation);
  const bits = [operation, ...parts.map((part) => part.operation)].includes("activation") ? SERIES : 1;
  if (
    !isSame(
      found.value,
      Number(value),
      parts.map((part) => Number(part.value)),
      bits,
    )
  )
    differ("value", found.value, value);
  if (found.symbol !== symbol) differ("symbol", found.symbol, symbol);
  if (found.chosen !== chosen) differ("chosen", found.chosen, chosen);
  for (const name in facts)
    if (!isSame(found.facts[name], Number(facts[name]), [])) differ(name, found.facts[name], facts[name]);
  const [a, b] = [found.address, address].map((one) => JSON.stringify(one && [one.stage, one.index, one.labels]));
  if (a !== b) differ("address", a, b);
  if (found.parts.length !== parts.length) differ("parts", found.parts.length, parts.length);
  else parts.forEach((part, i) => all.push(...differences(found.parts[i], part, `${path}.${i}`)));
  return all;
}

test("every opened cell has the terms of core.explain, to the last bit or the one before", () => {
  const wrong = [];
  cases.forEach(({ name, cells }, i) => {
    for (const { key, index, made_by } of cells)
      wrong.push(...differences(explain(traces[i], key, index).made_by, made_by, `${name} ${key}[${index}]`));
  });
  assert.deepEqual(wrong, []);
});

test("every cell that is not given follows from its rule, but for how its sum is rounded", () => {
  const wrong = [];
  cases.forEach(({ name, cells }, i) => {
    for (const { key, index, made_by } of cells.filter((cell) => cell.made_by.operation !== "given")) {
      const [found] = traces[i].followed(key, index, 1),
        parts = made_by.parts.map((part) => Number(part.value));
      const bits = traces[i].stage(key).type === "f4" ? 2 ** 31 : 2 ** 8;
      if (!isSame(found, Number(made_by.value), parts, bits))
        wrong.push(`${name} ${key}[${index}]: ${found}, not ${made_by.value}`);
    }
  });
  assert.deepEqual(wrong, []);
});

test("a cell alone, in its row and in its plane is one number, to the last bit", () => {
  const wrong = [];
  cases.forEach(({ name, cells }, i) => {
    const trace = traces[i],
      stages = new Map(cells.map(({ key, index }) => [key, index]));
    for (const [key, index] of stages) {
      const { shape } = trace.stage(key),
        rows = shape.length - 2;
      const alone = (at) => trace.value(key, at);
      const row = trace.numbers(key, index.with(-1, range(shape.at(-1))), shape.at(-1));
      row.forEach(
        (value, column) =>
          Object.is(value, alone(index.with(-1, column))) || wrong.push(`${name} ${key} column ${column}`),
      );
      if (rows < 0 || trace.stage(key).roles[rows] === "batch") continue;
      const [height, width] = shape.slice(rows),
        size = height * width,
        cells = range(size);
      const plane = trace.numbers(
        key,
        [...index.slice(0, rows), cells.map((at) => Math.floor(at / width)), cells.map((at) => at % width)],
        size,
      );
      for (let at = 0; at < size; at += 7) {
        const cell = [...index.slice(0, rows), Math.floor(at / width), at % width];
        if (!Object.is(plane[at], alone(cell)))
          wrong.push(`${name} ${key}[${cell}]: ${plane[at]} in the plane, ${alone(cell)} alone`);
      }
    }
  });
  assert.deepEqual(wrong, []);
});
