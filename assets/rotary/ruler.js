import { filled } from "../microscope/engine/names.js";
import { isModified, make } from "../shared/dom.js";

/**
 * The positions of the query and of the key, which is never behind it, and the last one there is.
 * @typedef {{ m: number, n: number, last: number }} Positions
 */

const TICKS = 8;

/**
 * A line of positions with three sliders: the query, the key, and the bar between, which moves both.
 * @param {Record<string, string>} words @param {[string, string]} names @param {number} last
 * @param {(positions: Positions) => void} move
 */
export function rulerOf(words, names, last, move) {
  const root = make("div", "ruler"),
    line = root.appendChild(make("div", "line"));
  for (let tick = 0; tick <= last; tick += TICKS) {
    const mark = line.appendChild(make("span", "tick", String(tick)));
    mark.style.left = share(tick, last);
  }
  /** @type {Positions} */
  const positions = { m: 0, n: 0, last };
  const thumbs = /** @type {const} */ (["both", "query", "key"]).map((kind) => {
    const ariaLabel = filled(words[kind], { name: kind === "query" ? names[0] : names[1] }),
      thumb = line.appendChild(make("button", `thumb ${kind}`, "", { role: "slider", ariaLabel }));
    slides(thumb, line, kind, positions, move);
    return thumb;
  });
  const [both, query, key] = thumbs;
  query.append(make("b", "", names[0]), make("small"));
  key.append(make("b", "", names[1]), make("small"));
  both.append(make("span"));

  /** @param {Positions} to */
  const show = (to) => {
    Object.assign(positions, to);
    const { m, n } = positions;
    query.style.left = share(m, last);
    key.style.left = share(n, last);
    both.style.left = share(n, last);
    both.style.width = share(m - n, last);
    /** @type {[HTMLElement, number, string][]} */
    const values = [
      [query, m, filled(words.position, { position: m })],
      [key, n, filled(words.position, { position: n })],
      [both, n, filled(words.distance, { distance: m - n })],
    ];
    for (const [thumb, now, text] of values) {
      const [low, high] = rangeOf(/** @type {Kind} */ (thumb.classList[1]), positions);
      const [ariaValueMin, ariaValueMax, ariaValueNow] = [low, high, now].map(String);
      Object.assign(thumb, { ariaValueMin, ariaValueMax, ariaValueNow, ariaValueText: text });
      /** @type {HTMLElement} */ (thumb.lastElementChild).textContent = text;
    }
  };
  return { root, show };
}

/** @typedef {"both" | "query" | "key"} Kind */

/**
 * The least and the largest position of a thumb; that of both is the key's.
 * @param {Kind} kind @param {Positions} positions @returns {[number, number]}
 */
function rangeOf(kind, { m, n, last }) {
  if (kind === "query") return [n, last];
  return kind === "key" ? [0, m] : [0, last - (m - n)];
}

/**
 * Where both are when a thumb goes to a position.
 * @param {Kind} kind @param {Positions} positions @param {number} to @returns {Positions}
 */
export function movedTo(kind, positions, to) {
  const [low, high] = rangeOf(kind, positions),
    at = Math.min(high, Math.max(low, to)),
    { m, n, last } = positions;
  if (kind === "query") return { m: at, n, last };
  return kind === "key" ? { m, n: at, last } : { m: at + m - n, n: at, last };
}

/**
 * @param {HTMLElement} thumb @param {HTMLElement} line @param {Kind} kind @param {Positions} positions
 * @param {(positions: Positions) => void} move
 */
function slides(thumb, line, kind, positions, move) {
  const now = () => (kind === "query" ? positions.m : positions.n);
  thumb.onkeydown = (event) => {
    const [low, high] = rangeOf(kind, positions);
    /** @type {Record<string, number>} */
    const keys = {
      ArrowLeft: now() - 1,
      ArrowDown: now() - 1,
      ArrowRight: now() + 1,
      ArrowUp: now() + 1,
      Home: low,
      End: high,
    };
    const to = keys[event.key];
    if (to === undefined || isModified(event)) return;
    event.preventDefault();
    move(movedTo(kind, positions, to));
  };
  thumb.onpointerdown = (event) => {
    if (event.button) return;
    const begins = event.clientX,
      first = now();
    thumb.setPointerCapture(event.pointerId);
    thumb.onpointermove = ({ clientX }) => {
      const step = line.getBoundingClientRect().width / positions.last;
      move(movedTo(kind, positions, first + Math.round((clientX - begins) / step)));
    };
    thumb.onpointerup = thumb.onpointercancel = () => {
      thumb.onpointermove = thumb.onpointerup = thumb.onpointercancel = null;
    };
  };
}

/** @param {number} part @param {number} last */
const share = (part, last) => `${(100 * part) / last}%`;
