import { isModified, make, onRemoval, viewOf, within } from "../shared/dom.js";
import { sceneOf, splitHeader } from "../microscope/engine/blob.js";
import { mount } from "../microscope/mount.js";
import { receive } from "../microscope/hosts/runs.js";
import { Trace } from "../microscope/engine/trace.js";
import { figure } from "./scene_figure.js";
import { QUERY } from "./query_row.js";
import { telling } from "./telling.js";

const SWIPE = 60; // pixels
/** @type {Record<string, number>} */
const WAYS = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 };

/**
 * A story in scenes around one figure, which grows from scene to scene; any number opens in a microscope.
 *
 * It is given no data: the component `run` beside it hands over what each run sends.
 * @param {ComponentArgs<null>} handed
 */
export default function ({ parentElement }) {
  const stop = viewOf(parentElement, () => begin(parentElement));
  return onRemoval(parentElement, stop);
}

/** @param {Ground} parentElement */
function begin(parentElement) {
  const story = new StoryPage(parentElement);
  const deaf = receive(parentElement, ({ data, setTriggerValue }) => {
    const { header, scene } = splitHeader(data);
    story.say = setTriggerValue;
    story.take(header, new Trace(sceneOf(scene)));
  });
  return () => {
    deaf();
    story.destroy();
  };
}

/** Where a reader is in the story, and what is on the page of it. */
class StoryPage {
  words = /** @type {StoryWords} */ (/** @type {unknown} */ (null)); // until a run has sent them
  trace = /** @type {Trace} */ (/** @type {unknown} */ (null));
  scene = 0; // from 1
  /** By scene the choice that was taken, from 0. @type {Map<number, number>} */
  guesses = new Map();
  /** The question as the reader turned it; null: as it is in the trace. @type {number[] | null} */
  Q = null;
  /** The first score as the reader moved it; null: as it is in the trace. @type {number | null} */
  score = null;
  head = 0;
  /** Draws the numbers of the figure anew. */
  redraw = () => {};
  /** @type {(name: string, value: unknown) => void} */
  say = () => {};

  /** @param {Ground} ground */
  constructor(ground) {
    this.root = ground.appendChild(make("section", "story"));
    this.heading = make("h3");
    this.close = make("button", "close", "×", { onclick: () => (this.opened.hidden = true) });
    this.opened = ground.appendChild(make("aside", "opened", [this.heading, this.close], { hidden: true }));
    this.microscope = mount(this.opened, { name: "story", parts: [], hints: false, keys: this.opened });
    document.addEventListener("keydown", this.press);
    swipes(this.root, (scenes) => this.go(this.scene + scenes));
  }

  /** @param {StoryWords} words @param {Trace} trace */
  take(words, trace) {
    const isOther = trace.id !== this.trace?.id;
    Object.assign(this, { words, trace });
    if (isOther) this.microscope.show(trace, { stage: "scores", head: 0, positions: { query: QUERY, key: 0 } });
    if (isOther || words.scene !== this.scene) this.begin(words.scene);
  }

  /** @param {number} scene */
  begin(scene) {
    Object.assign(this, { scene, Q: null, score: null, head: 0 });
    this.opened.hidden = true;
    this.draw();
  }

  /** @param {number} scene */
  go(scene) {
    if (scene < 1 || scene > this.words.scenes.length) return;
    this.begin(scene);
    within(this.root, "h2").focus();
    this.say("scene", scene);
  }

  draw() {
    const { labels, scenes } = this.words;
    this.heading.textContent = labels.opened;
    this.close.ariaLabel = labels.close;
    const { parts, showAnswer } = telling(this);
    this.root.replaceChildren(...parts);
    this.root.classList.toggle("last", this.scene === scenes.length);
    if (this.scene < scenes.length) this.root.append(figure(this, showAnswer));
  }

  /**
   * Show where a number comes from.
   * @param {string} stage @param {number} head @param {At} positions
   */
  open(stage, head, positions) {
    this.opened.hidden = false;
    this.microscope.go({ stage, head, positions: { query: QUERY, ...positions }, locked: true });
    this.opened.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /**
   * Keys lead on and back wherever nothing else is in use.
   * @param {KeyboardEvent} event
   */
  press = (event) => {
    const [target] = event.composedPath(),
      isFree = target === document.body || (target instanceof Element && this.root.contains(target)),
      isOther = isModified(event) || event.defaultPrevented;
    if (!(event.key in WAYS) || !isFree || isOther || target instanceof HTMLInputElement) return;
    event.preventDefault();
    this.go(this.scene + WAYS[event.key]);
  };

  destroy() {
    document.removeEventListener("keydown", this.press);
    this.microscope.destroy();
  }
}

/**
 * A finger that goes sideways leads on or back; one that drags something does not.
 * @param {HTMLElement} root @param {(scenes: number) => void} go
 */
function swipes(root, go) {
  /** @type {PointerEvent | null} */
  let from = null;
  root.onpointerdown = (event) => {
    const drags = event.target instanceof Element && event.target.closest("input, .plane");
    from = event.pointerType === "touch" && !drags ? event : null;
  };
  root.onpointerup = ({ clientX, clientY }) => {
    const [x, y] = from ? [clientX - from.clientX, clientY - from.clientY] : [0, 0];
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
    from = null;
  };
}
