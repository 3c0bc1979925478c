import { range } from "./rules.js";

/** @typedef {{ row: number, column: number, look: ReturnType<typeof reader> }} Asked */

/** @type {Record<string, Record<string, (asked: Asked) => number>>} */
const MISTAKES = {
  scores: {
    transposed: ({ row, column, look }) => look("scores", { query: column, key: row }),
    key_upright: ({ row, column, look }) =>
      dot(look.along("Q", "d_k", { query: row }), look.along("K", "key", { d_k: column })),
  },
  scaled: {
    unscaled: ({ row, column, look }) => look("scores", { query: row, key: column }),
    by_d_k: ({ row, column, look }) => look("scores", { query: row, key: column }) / look.size("Q", "d_k"),
    transposed: ({ row, column, look }) => look("scaled", { query: column, key: row }),
  },
  weights: Object.fromEntries(
    Object.entries(wrongWeights()).map(([name, weights]) => [name, (asked) => weights(asked, asked.row)[asked.column]]),
  ),
  head_output: {
    ...Object.fromEntries(
      Object.entries(wrongWeights()).map(([name, weights]) => [
        name,
        (asked) => dot(weights(asked, asked.row), asked.look.along("V", "key", { d_v: asked.column })),
      ]),
    ),
    keys_for_values: ({ row, column, look }) =>
      dot(look.along("weights", "key", { query: row }), look.along("K", "key", { d_k: column })),
  },
};

/**
 * What somebody who makes a known mistake would find in a cell, by the name of the mistake; without those that give the
 * right number, and those whose numbers are not here.
 * @param {Store} store @param {string} stage @param {number} row @param {number} column
 * @returns {Record<string, number>}
 */
export function mistakesAt({ trace, head }, stage, row, column) {
  const asked = { row, column, look: reader(trace, head) },
    /** @type {Record<string, number>} */
    found = {};
  for (const [name, of] of Object.entries(MISTAKES[stage] ?? {})) {
    try {
      const value = of(asked);
      if (!Number.isNaN(value)) found[name] = value;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // a number that was not sent, or a step that is not there
    }
  }
  return found;
}

/**
 * Rows of weights as mistakes give them.
 * @returns {Record<string, (asked: Asked, query: number) => Float64Array>}
 */
function wrongWeights() {
  return {
    unscaled: ({ look }, query) => {
      const masked = look.masked(query);
      return softmax(look.along("scores", "key", { query }).map((score, key) => (masked[key] ? -Infinity : score)));
    },
    columns: ({ look }, query) => {
      const keys = range(look.size("weights", "key"));
      return Float64Array.from(keys, (key) => softmax(look.along(look.last, "query", { key }))[query]);
    },
    masked_late: ({ look }, query) => {
      const masked = look.masked(query);
      return softmax(look.along("scaled", "key", { query })).map((weight, key) => (masked[key] ? 0 : weight));
    },
    transposed: ({ look }, query) => look.along("weights", "query", { key: query }),
  };
}

/**
 * Reads numbers of one head by the roles of their axes. Throws RangeError for a step or a cell that is not here.
 * @param {Trace} trace @param {number} head
 */
function reader(trace, head) {
  /** @param {string} key @param {AtMany} at @param {number} size */
  const read = (key, at, size) => {
    const stage = trace.stage(key);
    if (!stage) throw new RangeError(`there is no ${key}`);
    const fixed = { batch: trace.sample, ...trace.headPositions(key, head) };
    const index = stage.roles.map((role) => at[role] ?? /** @type {AtMany} */ (fixed)[role]);
    if (index.includes(/** @type {any} */ (undefined))) throw new RangeError(`${key} has other axes`);
    if (index.some((position, axis) => typeof position === "number" && position >= stage.shape[axis]))
      throw new RangeError(`${key} is smaller`);
    return trace.numbers(key, index, size);
  };
  /** @param {string} key @param {string} role */
  const size = (key, role) => (trace.stage(key) ? trace.size(key, role) : 0);
  /** @param {string} key @param {string} role @param {AtMany} at */
  const along = (key, role, at) => read(key, { ...at, [role]: range(size(key, role)) }, size(key, role));
  const last = trace.stage("masked") ? "masked" : "scaled";
  /** @param {number} query */
  const masked = (query) => along(last, "key", { query }).map((score) => Number(score === -Infinity));
  /** @param {string} key @param {AtMany} at */
  const one = (key, at) => read(key, at, 1)[0];
  return Object.assign(one, { along, size, last, masked });
}

/** @param {Float64Array} of */
function softmax(of) {
  const most = Math.max(...of),
    powers = of.map((one) => (one === -Infinity ? 0 : Math.exp(one - most))),
    sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/** @param {Float64Array} one @param {Float64Array} other */
function dot(one, other) {
  if (one.length !== other.length) throw new RangeError("two rows of other lengths");
  return one.reduce((sum, factor, i) => sum + factor * other[i], 0);
}
