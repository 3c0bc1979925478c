import { make } from "../../shared/dom.js";
import { across, over, thickness } from "../../shared/links.js";
import { shape } from "../../shared/svg.js";
import { isolated } from "../engine/names.js";
import { perCent } from "../engine/numbers.js";
import { roving } from "../stepper/roving.js";
import { isCross, tokenName } from "./takes_most.js";

const LOOP = /** @type {[number, number, number]} */ ([7, 16, 30]),
  THICKEST = 10,
  LEAST = 0.02, // a share whose line is drawn
  PRINTED = 0.045, // a share that is printed below its word
  MANY = 40; // tokens, from which on they are set smaller

/**
 * The words in lines, as a text has them, and from the one that looks an arc to each that it takes from; where it looks
 * at another text, the words of that above. Patches of a picture are seen in it, and not here.
 *
 * point: called with the word under the pointer or with the focus, null for none; choose: with a pressed one.
 * @param {Store} store @param {{ point(word: number | null): void, choose(word: number): void }} given
 */
export function sentence(store, { point, choose }) {
  const lines = shape("svg", { "aria-hidden": "true" }),
    asked = make("div", "row asked"),
    row = make("div", "row"),
    element = make("div", "sentence", [lines, asked, row], { role: "group" });

  /** @param {string} label */
  function fill(label) {
    const { trace, texts } = store,
      [queries, keys] = ["query", "key"].map((role) => trace.size("weights", role));
    element.ariaLabel = label;
    element.hidden = trace.before !== null;
    asked.hidden = !isCross(trace);
    if (element.hidden) return;
    element.classList.toggle("many", Math.max(queries, keys) > MANY);
    asked.replaceChildren(
      ...(asked.hidden ? [] : each(keys, (word) => make("div", "", inside(tokenName(trace, "key", word))))),
    );
    row.replaceChildren(...each(queries, (word) => button(tokenName(trace, "query", word, texts?.rows), word)));
  }

  /** @param {string} name */
  const inside = (name) => [make("span", "", name), make("small")];

  /** @param {string} name @param {number} word */
  function button(name, word) {
    const leave = () => point(null);
    return make("button", "", inside(name), {
      title: isolated(name),
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
      looking = words(row),
      looked = words(asked.hidden ? row : asked);
    for (const [i, word] of looking.entries()) {
      word.className = i === query ? "looks" : "";
      word.ariaPressed = String(i === query);
    }
    looked.forEach((word, i) => {
      const share = hidden.includes(i) ? 0 : (shares[i] ?? 0);
      word.classList.toggle("attended", i === best);
      word.style.setProperty("--share-of-row", `${Math.round(100 * share)}%`);
      word.children[1].textContent = share >= PRINTED ? perCent(share) : "";
    });
    if (!row.querySelector("[tabindex='0']")) roving(row, "button", looking[query], { tabbed: true });
  }

  /** Arcs, once the words can be measured. @param {AttentionRow} row */
  function draw({ query, shares }) {
    if (element.hidden) return;
    const from = words(row)[query],
      looked = words(asked.hidden ? row : asked),
      { hidden } = store.trace;
    lines.replaceChildren(
      ...[...shares].flatMap((share, to) =>
        share < LEAST || hidden.includes(to) || !looked[to] ? [] : line(from, looked[to], share),
      ),
    );
  }

  return { element, row, fill, mark, draw };
}

/** @param {number} count @param {(position: number) => HTMLElement} of */
const each = (count, of) => Array.from({ length: count }, (_, position) => of(position));

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
