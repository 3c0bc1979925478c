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
 * @typedef {(name: string, fields?: Record<string, string | Span>) => HTMLElement[]} Say
 */

/**
 * Score, share and mix of one word, each with its numbers, of which each opens to its sum below itself.
 * @param {Store} store
 */
export function threeSteps(store) {
  const element = make("div", "three"),
    panel = make("div", "opened-number"),
    /** @type {CellLink[]} */
    trail = [];
  let all = false,
    asksWhy = false; // whether it is shown why scores are divided

  /** @param {AttentionRow} row @param {Say} say @param {Palette} palette */
  function show(row, say, palette) {
    const { shown, left, share } = largestOf(row, all),
      of = /** @type {Span} */ ([tokenName(store.trace, "query", row.query, store.texts?.rows), "query"]);
    /** @type {Draw} */
    const draw = {
      row,
      say,
      of,
      palette,
      shown,
      rest: (name) => (left ? [others(say(name, restOf(left, share)))] : []),
    };
    element.replaceChildren(scores(draw), shares(draw), mix(draw));
    open(say);
  }

  /** @typedef {{ row: AttentionRow, say: Say, of: Span, palette: Palette, shown: number[], rest(name: "more" | "others"): HTMLElement[] }} Draw */

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
      return line(key, [track, number(plain(score), "scores", { query: row.query, key }, say)]);
    });
    const later = row.isCausal && row.query < row.shares.length - 1;
    const notes = later ? [make("p", "note", say("later", { row: of }))] : [];
    const name = store.texts?.rows.length ? "score_writes" : "score_does";
    return card("score", say(name, { row: of }), say, [...lines, ...rest("more")], notes);
  }

  /** @param {Draw} draw */
  function shares({ row, say, of, shown, rest }) {
    const { by } = division(store.trace, row),
      divided = by === 1 ? "" : ` ÷ ${divisor(by)}`;
    const lines = shown.map((key) => {
      const bar = make("i", "share");
      bar.style.width = `${100 * row.shares[key]}%`;
      return line(key, [
        make("span", "given", plain(row.scores[key]) + divided),
        make("div", "bar", [bar]),
        number(perCent(row.shares[key]), row.weights, { query: row.query, key }, say),
      ]);
    });
    const sum = perCent(row.keys.reduce((all, key) => all + row.shares[key], 0)),
      whole = make("p", "whole", say("together", { weight: sum }));
    return card(
      "share",
      say("share_does", { row: of }),
      say,
      [...lines, ...rest("others")],
      [...whyDivided(row, say), whole],
    );
  }

  /** @param {Draw} draw */
  function mix({ row, say, of, shown, rest, palette }) {
    const { values, vector, stage } = mixOf(store, row, shown);
    const lines = shown.map((key, i) =>
      line(key, [make("span", "given", `${perCent(row.shares[key])} ×`), stripe(values[i], stage, palette)]),
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
    const fields = { row: of, count: String(vector.length) };
    return card("mix", say("mix_does", fields), say, [...lines, ...rest("others")], [made]);
  }

  /**
   * A step: what it does, a line for each word, at the same height in all three, and what they come to.
   * @param {"score" | "share" | "mix"} name @param {HTMLElement[]} does @param {Say} say
   * @param {HTMLElement[]} lines @param {HTMLElement[]} foot
   */
  function card(name, does, say, lines, foot) {
    const unused = store.texts?.unused[store.head] ? [make("small", "", say("unused"))] : [];
    const element = make("section", `card ${name}`, [
      make("h2", "", [...say(name), ...unused]),
      make("p", "does", does),
      make("div", "lines", lines),
      make("div", "foot", foot),
    ]);
    roving(element, "[data-cell], .others", null, { tabbed: true });
    return element;
  }

  /** A key by its name, and what is drawn and printed of it. @param {number} key @param {HTMLElement[]} shown */
  function line(key, shown) {
    return make("div", "line", [make("span", "key", named(key)), ...shown]);
  }

  /** @param {string} text @param {string} key @param {At} at @param {Say} say */
  function number(text, key, at, say) {
    const cell = { stage: key, index: indexOf(store, key, at) },
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
    showSum(sum, opened(explain(trace, cell.stage, cell.index), trace, !every), {
      follow: (link) => {
        // Of a large trace only some stages are here; the machine brings the others.
        if (!trace.drawing(link.stage)) return store.openMachineAt([...trail, link]);
        trail.push(link);
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

  /** What shows the other words, too. @param {HTMLElement[]} text */
  function others(text) {
    return make("button", "link others", text, {
      onclick: () => {
        all = true;
        store.notify("selection");
      },
    });
  }

  /** A key by its name, and its patch of a photo or what it means. @param {number} key */
  function named(key) {
    const name = tokenName(store.trace, "key", key),
      patch = patchAt(store.trace, "key", key);
    if (!patch) return [make("span", "", name), make("small", "", store.texts?.glosses[key])];
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

  /**
   * By what all scores are divided before they are shared; opened, why, and what the first word would take if they were not.
   * @param {AttentionRow} row @param {Say} say
   */
  function whyDivided(row, say) {
    const { by, d_k, undivided } = division(store.trace, row);
    if (by === 1) return [];
    const number = divisor(by),
      root = Math.abs(by * by - d_k) < 1e-6 ? `√${d_k} = ${number}` : number;
    const why = [make("span", "", say("divided", { number: root, d_k: String(d_k) }))];
    const share = undivided && perCent(undivided[0]);
    if (share && share !== perCent(row.shares[row.keys[0]])) {
      const fields = { key: tokenName(store.trace, "key", row.keys[0]), share };
      why.push(make("span", "", say("undivided", fields)));
    }
    const element = make("details", "why", [make("summary", "", say("divides", { number })), make("p", "note", why)], {
      open: asksWhy,
    });
    element.ontoggle = () => (asksWhy = element.open);
    return [element];
  }

  /** Nothing is open, and only the largest are shown: the word or the trace is another. */
  function reset() {
    trail.length = 0;
    all = false;
  }

  return { element, show, reset, trail };
}

/** By what scores are divided, as it is printed. @param {number} by */
const divisor = (by) => (Number.isInteger(by) ? String(by) : short(by));

/** @param {number} left @param {number} share */
const restOf = (left, share) => ({ count: String(left), weight: perCent(share) });

/** @param {CellLink} cell */
const nameOfCell = ({ stage, index }) => [stage, ...index].join(" ");
