import { all, make, onRemoval, viewOf, within } from "../shared/dom.js";
import { splitHeader } from "../microscope/engine/blob.js";
import { receive } from "../microscope/hosts/runs.js";
import { figure, isReached, numberOf } from "./figures.js";
import { stepOf } from "./keys.js";
import { trainedSplit } from "./query_row.js";
import { telling } from "./telling.js";
import { play } from "./twins.js";

// What one press of shows what the scene is about: without attention, with it, after training, with two heads.
const GESTURES = ".switch, .figure > .choices button:last-child, .moves button:last-child";

/**
 * A story in scenes: one claim, one gesture and one picture each; every number opens to its sum.
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
  const withdraw = receive(parentElement, ({ data, setTriggerValue }) => {
    story.send = setTriggerValue;
    story.take(splitHeader(data).header);
  });
  return () => {
    withdraw();
    story.destroy();
  };
}

/** Where a reader is in the story, and what is on the page of it. */
class StoryPage {
  words = /** @type {StoryWords} */ (/** @type {unknown} */ (null)); // until a run has sent them
  scene = 0;
  /** @type {Map<number, number>} */
  guesses = new Map();
  /** Scenes whose gesture was made. @type {Set<number>} */
  followed = new Set();
  /** Scenes in which what the hint asks for was seen. @type {Set<number>} */
  reached = new Set();
  sentence = 0;
  step = 0;
  word = 0;
  /** @type {number[] | null} */
  Q = null;
  /** @type {number | null} */
  score = null;
  /** @type {number | null} */
  split = null;
  /** @type {OpenedNumber | null} */
  opened = null;
  layer = 0;
  isOn = true;
  way = 0;
  tried = new Set([0]);
  between = 0;
  size = 1;
  isShort = false;
  /** Ends what plays by itself. */
  stop = () => {};
  /** Draws the picture and what is said of it anew. */
  redraw = () => {};
  /** @type {(name: string, value: unknown) => void} */
  send = () => {};

  /** @param {Ground} ground */
  constructor(ground) {
    this.root = ground.appendChild(make("section", "story"));
    document.addEventListener("keydown", this.press);
  }

  /** @param {StoryWords} words */
  take(words) {
    const isOther =
      words.labels.next !== this.words?.labels.next || // another language
      JSON.stringify(words.own) !== JSON.stringify(this.words.own);
    this.words = words;
    if (!isOther && words.scene === this.scene) return;
    this.isShort = words.short;
    this.begin(words.scene);
  }

  /** @param {number} scene */
  begin(scene) {
    this.stop();
    const { steps, query, scenes, own } = this.words,
      { turns, splits, opens, learns, figure: kind } = scenes[scene - 1],
      isLast = kind === "own";
    Object.assign(this, {
      scene,
      sentence: 0,
      between: 0,
      size: 1,
      Q: turns ?? null,
      score: null,
      opened: opens ? numberOf(opens, 0) : null,
      step: learns ? 0 : steps.length - 1, // the training is shown from its beginning
      word: learns ? query : isLast ? (own?.query ?? 0) : 0,
    });
    this.split = splits ? trainedSplit(this) : null;
    const { parts, status, say } = telling(this);
    this.root.replaceChildren(...parts);
    this.root.classList.toggle("last", isLast);
    this.redraw = say;
    if (!isLast || own) {
      const { element, draw } = figure(this, status);
      this.root.append(element);
      this.redraw = () => say(draw());
    }
    this.redraw();
    if (kind === "twins" && !this.layer) this.stop = play(this, this.root);
  }

  /** @param {number} choice from 0 */
  guess(choice) {
    this.guesses.set(this.scene, choice);
    this.redraw();
  }

  moved() {
    this.followed.add(this.scene);
    if (isReached(this)) this.reached.add(this.scene);
    this.redraw();
  }

  /** @param {number} by */
  beside(by) {
    const { scenes } = this.words;
    if (!Number.isFinite(by)) return by < 0 ? 1 : scenes.length;
    let scene = this.scene + by;
    while (this.isShort && scenes[scene - 1] && !scenes[scene - 1].short) scene += by;
    return scene;
  }

  /** @param {number} scene */
  go(scene) {
    this.begin(scene);
    within(this.root, "h2").focus();
    this.send("place", { scene, short: this.isShort });
  }

  /**
   * Keys lead on and back.
   * @param {KeyboardEvent} event
   */
  press = (event) => {
    const by = stepOf(event, this.root),
      scene = this.beside(by),
      isPresented = !event.isTrusted; // presenter view hands its keys on
    if (by === 1 && isPresented && this.gesture()) return event.preventDefault();
    if (!by || !this.words.scenes[scene - 1]) return; // at the ends the page scrolls
    event.preventDefault();
    this.go(scene);
  };

  /** Makes the scene's gesture where that is one press; false where it was made. */
  gesture() {
    const { right } = this.words.scenes[this.scene - 1],
      button = all(this.root, GESTURES)[0];
    if (this.reached.has(this.scene) || !(right ? !this.guesses.has(this.scene) : button)) return false;
    if (right) this.guess(right - 1);
    else button.click();
    return true;
  }

  destroy() {
    this.stop();
    document.removeEventListener("keydown", this.press);
  }
}
