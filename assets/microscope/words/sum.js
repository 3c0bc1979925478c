// Draws an opened cell: its terms as columns over a waterfall, a softmax as a table, or one line.

import { make, rootOf, spans } from "../../shared/dom.js";
import { row, table } from "../../shared/table_rows.js";
import { BRIEF, plain } from "../engine/numbers.js";
import { roving } from "../stepper/roving.js";

/**
 * How an opened cell is shown; more: says that there are so many more terms, which lock shows.
 * @typedef {{ follow: Follow | null, lock: (() => void) | null, more(terms: number): string }} Shown
 * @typedef {{ over: LinkSpan[][], under: LinkSpan[], amount: number, total?: boolean }} Column
 */

/**
 * Draw what opened() made.
 *
 * follow(address): makes a link of each number that another cell holds. lock: of what says how many more
 * there are. words: {more}.
 * @param {HTMLElement} element @param {Opened} opened
 * @param {{ follow: Follow | null, lock?: (() => void) | null, words: MicroscopeWords }} given
 */
export function showSum(element, opened, { follow, lock = null, words }) {
  /** @type {Shown} */
  const pen = { follow, lock, more: (terms) => words.more.replace("{terms}", String(terms)) };
  const hadFocus = element.contains(rootOf(element).activeElement);
  const title = line("h3", [...opened.title, [` ${opened.relation} `, ""], [opened.total, "total"]], pen);
  element.replaceChildren(title, ...bodyOf(opened, pen), ...opened.notes.map((note) => line("p", note, pen)));
  roving(element, ".link", null, { tabbed: true });
  if (hadFocus) {
    title.tabIndex = -1; // after a link was followed, the focus is on the next cell
    title.focus({ preventScroll: true });
  }
  /** @type {HTMLElement | null} */
  const chosen = element.querySelector(".chosen"),
    frame = chosen?.closest(".frame");
  if (chosen && frame && frame.querySelectorAll("tbody tr").length > BRIEF)
    frame.scrollTop = chosen.offsetTop - frame.clientHeight / 2;
}

/** @param {Opened} opened @param {Shown} pen */
function bodyOf(opened, pen) {
  if (opened.rows.length) return [tableOf(opened, pen)];
  if (opened.terms.length > 1 && opened.sign === "+") return [columnsOf(opened, pen)];
  return opened.terms.length ? [inOneLine(opened, pen)] : [];
}

/** @param {Opened} opened @param {Shown} pen */
function inOneLine({ terms, sign }, pen) {
  const spans = terms.flatMap(({ made, value }, i) => {
    /** @type {LinkSpan[]} */
    const before = i ? [[i === terms.length - 1 ? ` ${sign} ` : " + ", "quiet"]] : [];
    /** @type {LinkSpan[]} */
    const after = value.length ? [[" ", ""], ...value] : [];
    return [...before, ...made, ...after];
  });
  const element = line("div", spans, pen);
  element.className = "one-line";
  return element;
}

/** @param {Opened} opened @param {Shown} pen */
function columnsOf(opened, pen) {
  const { amount, digits, terms, shown, left, total, relation, whole = total } = opened,
    others = terms.length - shown.length;
  /** @type {Column[]} */
  const columns = shown.map((position) => {
    const { made, value, amount } = terms[position];
    return { ...inColumn(made, value), amount };
  });
  if (others) columns.push({ over: [[[pen.more(others), "more"]]], under: [[plain(left, digits), ""]], amount: left });
  columns.push({ over: [], under: [[whole, ""]], amount, total: true });

  const list = make("ol", others ? "" : "every");
  list.classList.toggle("nearly", relation === "≈");
  if (!pen.follow) list.tabIndex = 0; // without links in it, it needs a Tab stop to be scrolled
  const steps = waterfall(columns);
  const pieces = columns.flatMap(({ over, under }) => [...over, under]);
  const wide = Math.max(...pieces.map((spans) => widthOf(spans.map(([text]) => text).join(""))));
  list.style.setProperty("--wide", `${wide}ch`);
  list.style.setProperty("--zero", steps.zero);
  list.append(...columns.map((column, i) => columnOf(column, steps.bars[i], pen)));
  return list;
}

/** How many digits a text is wide; a Chinese character counts twice. @param {string} text */
const widthOf = (text) => text.replace(/[\u2e80-\uffef]/g, "  ").length;

/**
 * The factors of a term one under another and what they make; a number alone under its name.
 * @param {LinkSpan[]} made @param {LinkSpan[]} value
 * @returns {Pick<Column, "over" | "under">}
 */
function inColumn(made, value) {
  if (!value.length) return { over: [made.slice(1)], under: made.slice(0, 1) };
  const times = made.findIndex(([text]) => text === " × ");
  return { over: [made.slice(0, times), [["× ", "quiet"], ...made.slice(times + 1)]], under: value };
}

/** @param {Column} column @param {ReturnType<typeof waterfall>["bars"][number] | undefined} bar @param {Shown} pen */
function columnOf({ over, under, total }, bar, pen) {
  const frame = make("div"),
    numbers = [...over.map((spans) => line("span", spans, pen)), line("b", under, pen)],
    column = make("li", total ? "whole" : "", [...numbers, frame]);
  if (!bar) return column;
  const fill = frame.appendChild(make("i", bar.negative ? "negative" : "positive"));
  fill.style.cssText = `top: ${bar.top}; height: ${bar.height}`;
  frame.style.setProperty("--end", bar.end);
  return column;
}

/** @param {Opened} opened @param {Shown} pen */
function tableOf(opened, pen) {
  const { columns, rows, shown, left, chosen, digits } = opened,
    others = rows.length - shown.length;
  const ariaLabel = opened.title.map(([text]) => text).join(""),
    frame = make("div", "frame", "", { role: "region", ariaLabel });
  if (!pen.follow) frame.tabIndex = 0;
  /** @param {string} name @param {LinkSpan[][]} cells */
  const named = (name, cells) => {
    const element = row(...cells.map((spans) => line("td", spans, pen)));
    element.className = name;
    return element;
  };
  const lines = shown.map((position) => named(position === chosen ? "chosen" : "", rows.at(position)));
  if (others) lines.push(named("quiet", [[[pen.more(others), "more"]], [], [], [], [[plain(left, digits), ""]]]));
  frame.append(table(row(...columns.map((spans) => line("th", spans, pen))), lines));
  return frame;
}

/**
 * Spans in an element; consecutive ones with the same cell are one link.
 * @param {"h3" | "p" | "div" | "span" | "b" | "td" | "th"} tag @param {LinkSpan[]} parts @param {Shown} shown
 */
function line(tag, parts, { follow, lock }) {
  const element = make(tag);
  /** @type {HTMLElement} */
  let link = element,
    /** @type {CellLink | undefined} */
    open;
  for (const [text, role, address] of parts) {
    if (!follow || !address) link = element;
    else if (address !== open)
      link = element.appendChild(make("button", "link", "", { onclick: () => follow(address) }));
    open = address;
    if (role === "more" && lock) link.append(make("button", "link more", text, { onclick: lock }));
    else link.append(...spans([[text, role]]));
  }
  return element;
}

/**
 * The bars of a sum that grows: each starts where the sum before it ended, the total's at zero. Top, height and end of
 * each, and the level of zero.
 *
 * Shares of the height from above, as CSS writes them. No bars where an amount is infinite.
 * @param {{ amount: number, total?: boolean }[]} columns
 */
function waterfall(columns) {
  let sum = 0;
  const ends = columns.map(({ amount, total }) => {
    const from = total ? 0 : sum;
    sum = from + amount;
    return [from, sum];
  });
  const highest = Math.max(0, ...ends.flat());
  const lowest = Math.min(0, ...ends.flat());
  if (!Number.isFinite(highest - lowest)) return { zero: "100%", bars: [] };
  /** @param {number} size */
  const share = (size) => `${((size / (highest - lowest || 1)) * 100).toFixed(2)}%`;
  const bars = ends.map(([from, to]) => ({
    top: share(highest - Math.max(from, to)),
    height: share(Math.abs(to - from)),
    end: share(highest - to),
    negative: to < from,
  }));
  return { zero: share(highest), bars };
}
