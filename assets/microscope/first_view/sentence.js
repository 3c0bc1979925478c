import { make } from "../../shared/dom.js";
import { across, over, thickness } from "../../shared/links.js";
import { shape } from "../../shared/svg.js";
import { isolated } from "../engine/names.js";
import { perCent } from "../engine/numbers.js";
import { roving } from "../stepper/roving.js";
import { isCross, isSpecial, specialNote, tokenName } from "./takes_most.js";

const LOOP = /** @type {[number, number, number]} */ ([7, 16, 30]),
  THICKEST = 10,
  LEAST = 0.02, // a share whose line is drawn
  MANY = 40; // tokens, from which on they are set smaller

/**
 * The words in lines, as a text has them, and from the one that looks an arc to each that it takes from. Patches of a
 * picture are seen in it, and words that look at another text in its translation; neither are here.
 *
 * point: called with the word under the pointer or with the focus, null for none; choose: with a pressed one.
 * @param {Store} store @param {{ point(word: number | null): void, choose(word: number): void }} given
 */
export function sentence(store, { point, choose }) {
  const lines = shape("svg", { "aria-hidden": "true" }),
    row = make("div", "row"),
    element = make("div", "sentence", [lines, row], { role: "group" });

  /** @param {string} label */
  function fill(label) {
    const { trace, texts } = store,
      count = trace.size("weights", "query");
    element.ariaLabel = label;
    element.hidden = trace.before !== null || isCross(trace);
    if (element.hidden) return;
    element.classList.toggle("many", count > MANY);
    row.replaceChildren(
      ...Array.from({ length: count }, (_, word) => button(tokenName(trace, "query", word, texts?.rows), word)),
    );
  }

  /** @param {string} name @param {number} word */
  function button(name, word) {
    const leave = () => point(null);
    return make("button", "", [make("span", isSpecial(store.trace, word) ? "special" : "", name), make("small")], {
      title: specialNote(store.trace, store.texts, word) ?? isolated(name),
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && point(word),
      onpointerleave: leave,
      onfocus: () => point(word),
      onblur: leave,
      onclick: () => choose(word),
    });
  }

  /** @param {AttentionRow} row */
  function mark({ query, shares, keys }) {
    if (element.hidden) return;
    const { hidden } = store.trace,
      best = keys.find((key) => !hidden.includes(key)),
      all = words(row);
    all.forEach((word, i) => {
      word.className = i === query ? "looks" : "";
      word.ariaPressed = String(i === query);
      const share = hidden.includes(i) ? 0 : (shares[i] ?? 0);
      word.classList.toggle("attended", i === best);
      word.classList.toggle("unseen", store.texts?.hidden.includes(i) ?? false);
      word.style.setProperty("--share-of-row", `${Math.round(100 * share)}%`);
      word.children[1].textContent = keys.includes(i) && !hidden.includes(i) ? perCent(share) : "";
    });
    if (!row.querySelector("[tabindex='0']")) roving(row, "button", all[query], { tabbed: true });
  }

  /** Arcs, once the words can be measured. @param {AttentionRow} row */
  function draw({ query, shares }) {
    if (element.hidden) return;
    const all = words(row),
      from = all[query],
      { hidden } = store.trace;
    lines.replaceChildren(
      ...[...shares].flatMap((share, to) =>
        share < LEAST || hidden.includes(to) || !all[to] ? [] : line(from, all[to], share),
      ),
    );
  }

  return { element, row, fill, mark, draw };
}

/** @param {HTMLElement} row */
const words = (row) => /** @type {HTMLElement[]} */ ([...row.children]);

/**
 * An arc over a line of words; to another line, from the edge that faces it.
 * @param {HTMLElement} from @param {HTMLElement} to @param {number} share
 */
function line(from, to, share) {
  const [x, toX] = [from, to].map((word) => word.offsetLeft + word.offsetWidth / 2),
    isSameLine = from.offsetTop === to.offsetTop,
    isAbove = to.offsetTop < from.offsetTop;
  const rise = Math.min(30, 16 + Math.abs(toX - x) * 0.1);
  /** @param {HTMLElement} word @param {boolean} top */
  const edge = ({ offsetTop, offsetHeight }, top) => offsetTop + (top ? 0 : offsetHeight);
  const d = isSameLine
    ? over(x, toX, from.offsetTop, rise, LOOP)
    : across([x, edge(from, isAbove)], [toX, edge(to, !isAbove)], false);
  return shape("path", { d, "stroke-width": thickness(share, THICKEST, 0.8) });
}
