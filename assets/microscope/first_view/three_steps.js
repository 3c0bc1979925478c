import { make, penOf } from "../../shared/dom.js";
import { explain } from "../engine/cell.js";
import { perCent, plain, short } from "../engine/numbers.js";
import { opened } from "../engine/opened.js";
import { drawPatch, patchAt } from "../figure/labels.js";
import { partOf, rampOf } from "../theme.js";
import { roving } from "../stepper/roving.js";
import { showSum } from "../words/sum.js";
import { division, indexOf, largestOf, mixOf } from "./attention_row.js";
import { tokenName } from "./takes_most.js";

const NUMBERS = 4, // of the new vector that are printed beside its stripe
  PATCH = 40; // pixels along a side of a patch beside its name

/**
 * @typedef {{ key: string, index: number[] }} Cell
 * @typedef {(name: string, fields?: Record<string, string | Span>) => HTMLElement[]} Say
 */

/**
 * Score, share and mix of one word, each with its numbers, of which each opens to its sum below itself.
 * @param {Store} store
 */
export function threeSteps(store) {
  const element = make("div", "three"),
    panel = make("div", "opened-number"),
    /** @type {Cell[]} */
    trail = [];
  let all = false;

  /** @param {AttentionRow} row @param {Say} say @param {Palette} palette */
  function show(row, say, palette) {
    const { shown, left, share } = largestOf(row, all),
      of = /** @type {Span} */ ([tokenName(store.trace, "query", row.query, store.texts?.rows), "query"]);
    /** @type {Draw} */
    const draw = { row, say, of, palette, shown, rest: () => (left ? [others(say, left, share)] : []) };
    element.replaceChildren(scores(draw), shares(draw), mix(draw));
    open(say);
  }

  /** @typedef {{ row: AttentionRow, say: Say, of: Span, palette: Palette, shown: number[], rest(): HTMLElement[] }} Draw */

  /** @param {Draw} draw */
  function scores({ row, say, of, shown, rest }) {
    const all = row.keys.map((key) => row.scores[key]),
      lowest = Math.min(0, ...all),
      span = Math.max(0, ...all) - lowest || 1;
    const lines = shown.map((key) => {
      const score = row.scores[key],
        bar = make("i", score < 0 ? "negative" : "positive");
      bar.style.width = `${(100 * Math.abs(score)) / span}%`;
      bar.style.insetInlineStart = `${(100 * (Math.min(0, score) - lowest)) / span}%`;
      const track = make("div", "bar signed", [bar]);
      track.style.setProperty("--zero", `${(-100 * lowest) / span}%`);
      return line(key, [track], number(plain(score), "scores", { query: row.query, key }, say));
    });
    const later = row.isCausal && row.query < row.shares.length - 1;
    const notes = later ? [make("p", "note", say("later", { row: of }))] : [];
    return card("score", say, of, [...lines, ...rest(), ...notes]);
  }

  /** @param {Draw} draw */
  function shares({ row, say, of, shown, rest }) {
    const lines = shown.map((key) => {
      const bar = make("i", "share");
      bar.style.width = `${100 * row.shares[key]}%`;
      return line(
        key,
        [make("div", "bar", [bar])],
        number(perCent(row.shares[key]), row.weights, { query: row.query, key }, say),
      );
    });
    const notes = dividedBy(store.trace, row, say, tokenName(store.trace, "key", row.keys[0]));
    const sum = perCent(row.keys.reduce((all, key) => all + row.shares[key], 0));
    const whole = make("p", "whole", say("together", { weight: sum }));
    return card("share", say, of, [...notes, ...lines, ...rest(), whole]);
  }

  /** @param {Draw} draw */
  function mix({ row, say, of, shown, rest, palette }) {
    const { values, vector, stage } = mixOf(store, row, shown);
    const lines = shown.map((key, i) =>
      line(key, [stripe(values[i], stage, palette)], make("b", "", `× ${perCent(row.shares[key])}`)),
    );
    const numbers = [...vector.slice(0, NUMBERS)].map((value, d_v) =>
      number(plain(value), "head_output", { query: row.query, d_v }, say),
    );
    const more = vector.length > NUMBERS ? ["…"] : [];
    const made = make("div", "made", [
      make("span", "", say("mixed")),
      stripe(vector, "head_output", palette),
      make("div", "numbers", [...numbers, ...more]),
    ]);
    return card("mix", say, of, [...lines, ...rest(), made]);
  }

  /** @param {"score" | "share" | "mix"} name @param {Say} say @param {Span} of @param {HTMLElement[]} content */
  function card(name, say, of, content) {
    const unused = store.texts?.unused[store.head] ? [make("small", "", say("unused"))] : [],
      heading = make("h2", "", [...say(name), ...unused]),
      does = make("p", "does", say(`${name}_does`, { row: of }));
    const element = make("section", `card ${name}`, [heading, does, ...content]);
    roving(element, "[data-cell], .others", null, { tabbed: true });
    return element;
  }

  /** A key by its name, what is drawn of it, and its number. @param {number} key @param {HTMLElement[]} drawn @param {HTMLElement} number */
  function line(key, drawn, number) {
    return make("div", "line", [make("span", "key", named(key)), ...drawn, number]);
  }

  /** @param {string} text @param {string} key @param {At} at @param {Say} say */
  function number(text, key, at, say) {
    const cell = { key, index: indexOf(store, key, at) },
      button = make("button", "link", text);
    button.dataset.cell = nameOfCell(cell);
    button.onclick = () => {
      const isOpen = trail[0] && nameOfCell(trail[0]) === nameOfCell(cell);
      trail.splice(0, trail.length, ...(isOpen ? [] : [cell]));
      open(say);
    };
    return button;
  }

  /** The sum of the opened number, or nothing: below the cards, or below its line where they stand in one column. @param {Say} say @param {boolean} [every] */
  function open(say, every = false) {
    panel.remove();
    for (const other of element.querySelectorAll("[aria-expanded]")) other.removeAttribute("aria-expanded");
    const [first] = trail,
      cell = trail.at(-1),
      button = first && element.querySelector(`[data-cell="${nameOfCell(first)}"]`);
    if (!cell || !(button instanceof HTMLElement)) return;
    button.ariaExpanded = "true";
    const { trace } = store,
      sum = make("div", "sum"),
      back = make("button", "link", say("back"), { hidden: trail.length < 2 }),
      close = make("button", "link", say("close"));
    back.onclick = () => {
      trail.pop();
      open(say);
    };
    close.onclick = () => {
      trail.length = 0;
      open(say);
      button.focus();
    };
    showSum(sum, opened(explain(trace, cell.key, cell.index), trace, !every), {
      follow: ({ stage, index }) => {
        trail.push({ key: stage, index });
        open(say);
      },
      lock: () => open(say, true),
      words: trace.words.microscope,
    });
    panel.replaceChildren(make("div", "ways", [back, close]), sum);
    if (element.clientWidth > 2 * (button.closest(".card")?.clientWidth ?? 0)) element.append(panel);
    else button.closest(".line, .made")?.after(panel);
    panel.scrollIntoView({ block: "nearest" });
  }

  /** @param {Say} say @param {number} count @param {number} share */
  function others(say, count, share) {
    const button = make("button", "link others", say("others", { count: String(count), weight: perCent(share) }));
    button.onclick = () => {
      all = true;
      store.notify("selection");
    };
    return button;
  }

  /** A key by its name, and its patch of a photo. @param {number} key */
  function named(key) {
    const name = tokenName(store.trace, "key", key),
      patch = patchAt(store.trace, "key", key);
    if (!patch) return name;
    const canvas = make("canvas", "patch", "", { width: PATCH, height: PATCH, ariaHidden: "true" });
    drawPatch(penOf(canvas), patch, 0, 0, PATCH);
    return [canvas, name];
  }

  /**
   * A vector as a stripe, each number in the colour that it has in the machine.
   * @param {Float64Array} values @param {string} key @param {Palette} palette
   */
  function stripe(values, key, palette) {
    const { scale } = store.trace.stage(key),
      ramp = rampOf(scale, palette);
    const canvas = make("canvas", "stripe", "", { width: values.length, height: 1, ariaHidden: "true" }),
      pen = canvas.getContext("2d");
    const pixels = Uint8ClampedArray.from(
      [...values].flatMap((value) => [...ramp[Math.round(255 * partOf(scale, value))], 255]),
    );
    pen?.putImageData(new ImageData(pixels, values.length), 0, 0);
    return canvas;
  }

  /** Nothing is open, and only the largest are shown: the word or the trace is another. */
  function reset() {
    trail.length = 0;
    all = false;
  }

  return { element, show, reset, opened: () => trail.at(-1) };
}

/**
 * By what all scores are divided before they are shared, and what the first word would take if they were not.
 * @param {Trace} trace @param {AttentionRow} row @param {Say} say @param {string} first
 */
function dividedBy(trace, row, say, first) {
  const { by, d_k, undivided } = division(trace, row),
    number = Number.isInteger(by) ? String(by) : short(by),
    isRoot = Math.abs(by * by - d_k) < 1e-6;
  if (by === 1) return [];
  const notes = [say("divided", { number: isRoot ? `√${d_k} = ${number}` : number, d_k: String(d_k) })];
  if (undivided) notes.push(say("undivided", { key: first, share: perCent(undivided[0]) }));
  return notes.map((note) => make("p", "note", note));
}

/** @param {Cell} cell */
const nameOfCell = ({ key, index }) => [key, ...index].join(" ");
