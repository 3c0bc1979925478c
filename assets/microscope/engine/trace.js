import { numbersIn } from "./blob.js";
import { memo } from "./memo.js";
import { shortened } from "./names.js";
import { dependsOn, evaluate, resolve, rowOf } from "./rules.js";

const ROWS = 64; // in the cache

// All that was sent, as members.
const Sent = /** @type {new (scene: Scene) => Scene} */ (
  class {
    /** @param {Scene} scene */
    constructor(scene) {
      Object.assign(this, scene);
    }
  }
);

/**
 * The numbers of a stage by query and key that was sent in a short form: the first key and the key behind the last of
 * each run of allowed keys, a query's from an entry of the table on; or one number for each distance of query and key.
 * @param {Trace} trace @param {string} key @param {"runs" | "diagonals"} form @param {Positions[]} index @param {number} size
 */
function paired(trace, key, form, index, size) {
  const { values } = trace.arrays[key],
    [queries, keys] = index.slice(-2),
    count = trace.size(key, "query");
  const starts = trace.arrays[`${key}.table`]?.values;
  return new Float64Array(size).map((_, i) => {
    const query = typeof queries === "number" ? queries : queries[i],
      position = typeof keys === "number" ? keys : keys[i];
    if (form === "diagonals") return values[position - query + count - 1];
    for (let run = starts[query]; run < starts[query + 1]; run++)
      if (position < values[2 * run + 1]) return position >= values[2 * run] ? 1 : 0;
    return 0;
  });
}

/** Thrown where numbers are read that have not come yet; what reads them is drawn again once they have. */
class NotHere extends Error {
  name = "NotHere"; // a class of its own in each component that is given this trace
}

/**
 * Runs what reads numbers. Returns whether some have not come yet.
 * @param {() => void} run
 */
export function isWaiting(run) {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof Error && error.name === "NotHere") return true;
    throw error;
  }
}

/** The stages of a scene: numbers that were sent, and numbers computed by rules. */
export class Trace extends Sent {
  /** @type {Photo | null} */
  photo = null;
  hiddenTokens = new Set(this.hidden);
  // Caches, each filled by the module that makes its entries.
  /** @type {WeakMap<Rule, Map<string, Float64Array>>} */
  rows = new WeakMap();
  /** @type {Map<string, Cells | TiledCells>} */
  cells = new Map();
  /** @type {Map<string, Run[]>} */
  pieces = new Map();
  /** @type {Map<string, Explained>} */
  explained = new Map();
  /** @type {Map<string, number>} */
  widths = new Map();
  /** @type {Map<string, HTMLCanvasElement>} */
  thumbnails = new Map();
  /** Computes the tiles of large planes, once there are any. @type {TileMaker | null} */
  maker = null;
  // Arrays that are brought when their numbers are first read, by `bytesAt`, which a host sets; null if they are lost.
  /** @type {(url: string) => Promise<ArrayBuffer | null>} */
  bytesAt = async () => null;
  /** @type {Set<string>} */
  brought = new Set();
  isLost = false;
  isPicture = false; // whether what is read now is but drawn, for which numbers in half precision will do
  // Called when an array has come, or is lost.
  arrived = () => {};

  /** @type {Read} */
  read = (key, index) => {
    const many = index.find((position) => typeof position !== "number");
    return many ? this.numbers(key, index, many.length) : this.value(key, index);
  };

  /**
   * The array of a stage.
   * @param {string} key
   */
  array(key) {
    const { later } = this.stored[key];
    if (!later || (this.isPicture && this.arrays[key])) return this.arrays[key];
    this.bring(key, later);
    throw new NotHere(key);
  }

  /** @param {string} key @param {{ url: string, type: NumberType, shape: number[] }} later */
  async bring(key, { url, type, shape }) {
    if (this.brought.has(key)) return;
    this.brought.add(key);
    const bytes = await this.bytesAt(url);
    if (bytes) {
      this.arrays[key] = { shape, values: numbersIn(bytes, type, shape) };
      this.stored[key].later = undefined;
      for (const [name, cells] of this.cells) if (!("tiles" in cells)) this.cells.delete(name);
      this.maker?.close(); // the next worker has these numbers, too
    } else this.isLost = true;
    this.arrived();
  }

  /** Whether the numbers of all arrays that are here are exact. */
  get isExact() {
    return !Object.entries(this.stored).some(([key, { later }]) => later && this.arrays[key]);
  }

  /**
   * What a function returns that reads numbers for a picture.
   * @template Made
   * @param {() => Made} run
   */
  forPicture(run) {
    const before = this.isPicture;
    this.isPicture = true;
    try {
      return run();
    } finally {
      this.isPicture = before;
    }
  }

  /** @param {string} key */
  stage(key) {
    return this.stages[key];
  }

  /** @param {string} key */
  drawing(key) {
    return this.drawings[key];
  }

  /** @param {string} key @param {string} role */
  size(key, role) {
    const position = this.stages[key].roles.indexOf(role);
    return position < 0 ? 1 : this.stages[key].shape[position];
  }

  /**
   * The number of heads in which a stage can be shown; heads that share a key and value head count each.
   * @param {string} key
   */
  headsOf(key) {
    return this.stages[key].roles.includes("kv_head") ? this.heads : this.size(key, "head");
  }

  /**
   * The size of an axis with its name in the reader's language: "query 3".
   * @param {string} role @param {number} size
   */
  sized(role, size) {
    return `${this.words.axes?.[role] ?? role} ${size}`;
  }

  /**
   * The index of a head along the head axes of a stage: consecutive heads share a key and value head.
   * @param {string} key @param {number} head
   * @returns {At}
   */
  headPositions(key, head) {
    return { head, kv_head: Math.floor((head * this.size(key, "kv_head")) / this.heads) };
  }

  /**
   * Whether the numbers of a stage are loaded for a head.
   * @param {string} key @param {number} head
   */
  hasHead(key, head) {
    return this.head === null || this.head === head || !this.stages[key].roles.includes("head");
  }

  /**
   * The name of a position along an axis; its number, counted from 1, where it has none.
   * @param {string} key @param {number} axis @param {number} position
   */
  label(key, axis, position) {
    const names = this.stages[key].names[axis];
    if (names === null) return String(position + 1);
    return this.names[names][position].split("→").map(shortened).join("→"); // some rows read one word and write the next
  }

  /**
   * The kind of a position along an axis, of core.kinds.POSITION_KINDS; "" if unknown.
   * @param {string} key @param {number} axis @param {number} position
   */
  kind(key, axis, position) {
    const kinds = this.kinds[this.stages[key].kinds[axis] ?? -1] ?? "";
    return Array.isArray(kinds) ? kinds[position] : kinds;
  }

  /** @param {string} key @param {number[]} index */
  labelsOf(key, index) {
    return index.map((position, axis) => this.label(key, axis, position));
  }

  /** @param {string} key @param {Positions[]} index */
  value(key, index) {
    return this.numbers(key, index, 1)[0];
  }

  /**
   * The numbers of cells: one position an axis that all share, or an array of one a cell.
   * @param {string} key @param {Positions[]} index @param {number} size
   */
  numbers(key, index, size) {
    return this.sent(key, index, size) ?? this.followed(key, index, size);
  }

  /**
   * Null if they were not sent, or only as positions on the colour scale.
   * @param {string} key @param {Positions[]} index @param {number} size
   */
  sent(key, index, size) {
    const stored = this.stored[key];
    if (!stored || stored.form === "levels") return null;
    if (stored.form === "runs" || stored.form === "diagonals") return paired(this, key, stored.form, index, size);
    const found = this.entries(key, index, size);
    const table = stored.form === "table" && this.arrays[`${key}.table`].values;
    return found && table ? found.map((position) => table[position]) : found;
  }

  /**
   * Entries of the array of a stage; null if not all of these cells were sent.
   * @param {string} key @param {Positions[]} index @param {number} size
   */
  entries(key, index, size) {
    const offsets = this.offsets(key, index, size);
    if (!offsets) return null;
    const { values } = this.array(key),
      found = new Float64Array(size);
    for (let i = 0; i < size; i++) found[i] = values[offsets[i]];
    return found;
  }

  /**
   * The offsets of cells in the array of a stage; null if not all of them were sent.
   * @param {string} key @param {Positions[]} index @param {number} size
   */
  offsets(key, index, size) {
    const { shape } = this.array(key),
      { begins } = this.stored[key],
      offsets = new Int32Array(size);
    let still = 0;
    for (let axis = shape.length - 1, stride = 1; axis >= 0; stride *= shape[axis--]) {
      const part = index[axis],
        begin = begins[axis],
        length = shape[axis];
      if (typeof part === "number") {
        if (part < begin || part >= begin + length) return null;
        still += (part - begin) * stride;
      } else {
        for (let i = 0; i < size; i++) {
          const position = part[i] - begin;
          if (position < 0 || position >= length) return null;
          offsets[i] += position * stride;
        }
      }
    }
    for (let i = 0; i < size; i++) offsets[i] += still;
    return offsets;
  }

  /**
   * The offsets of an operand's cells at the first position of a role in the array of its stage, and the stride to the
   * next position. Null if the role is not an axis of the stage, or if not all of these cells were sent.
   * @param {Omit<Operand, "rule">} operand @param {AtMany} at @param {string} over @param {number} terms
   * @param {number} size
   */
  strided({ stage, index }, at, over, terms, size) {
    const axis = index.indexOf(over);
    if (this.stored[stage]?.form !== "numbers" || axis < 0) return null;
    if (index.some((part, i) => i !== axis && dependsOn(part, over, ""))) return null;
    const { shape, values } = this.array(stage);
    if (this.stored[stage].begins[axis] > 0 || shape[axis] < terms) return null;
    const first = index.map((part) => resolve(part, { ...at, [over]: 0 }, this.read));
    const offsets = this.offsets(stage, first, size);
    return offsets && { values, offsets, stride: shape.slice(axis + 1).reduce((all, length) => all * length, 1) };
  }

  /**
   * Computes numbers that were not sent by their rule, in the precision of the stage.
   * @param {string} key @param {Positions[]} index @param {number} size
   * @returns {Float64Array}
   */
  followed(key, index, size) {
    const { rule, roles, type } = this.stages[key];
    if (rule.rule === "given") throw new RangeError(`${key} is not here`);
    const at = Object.fromEntries(roles.map((role, axis) => [role, index[axis]]));
    const made = evaluate(this, rule, at, size, type);
    return type === "f4" ? made.map(Math.fround) : made;
  }

  /**
   * Caches a row that many cells share. madeOf: computes it from the numbers of the row.
   * @param {OfRow} rule @param {AtMany} at @param {(row: Float64Array) => Float64Array} madeOf
   */
  row(rule, at, madeOf) {
    const rows = this.rows.get(rule) ?? new Map();
    this.rows.set(rule, rows);
    return memo(rows, Object.values(at).join(), () => madeOf(rowOf(this, rule, at)), ROWS);
  }
}
