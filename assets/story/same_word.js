import { all, make, onRemoval, viewOf, within } from "../shared/dom.js";
import { stepOf } from "./keys.js";
import { play, twins } from "./twins.js";

const LINK = ".st-key-story_link a",
  PAGE = '[data-testid="stMain"]';

/**
 * The picture of the story's first scene alone.
 * @param {ComponentArgs<Twins["words"]>} args
 */
export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, () => new SameWord(parentElement));
  view.take(data);
  return onRemoval(parentElement, () => view.destroy());
}

class SameWord {
  words = /** @type {Twins["words"]} */ (/** @type {unknown} */ (null)); // until the first run
  scene = 1;
  reached = new Set();
  layer = 0;
  isOn = true;
  redraw = () => {};
  stop = () => {};

  /** @param {Ground} ground */
  constructor(ground) {
    this.root = ground.appendChild(make("section", "story alone"));
    document.addEventListener("keydown", this.press);
  }

  /** @param {Twins["words"]} words */
  take(words) {
    if (words.labels.layer === this.words?.labels.layer) return; // the same language
    this.words = words;
    this.stop();
    const { element, draw } = twins(this, make("p"));
    this.root.replaceChildren(element);
    this.redraw = draw;
    draw();
    if (!this.layer) this.stop = play(this, this.root);
  }

  moved() {
    if (!this.isOn) this.reached.add(this.scene);
    this.redraw();
  }

  /**
   * Keys lead on to the story's second scene, in presenter view once attention was switched off; one that scrolls does at
   * the end of this page.
   * @param {KeyboardEvent} event
   */
  press = (event) => {
    const [{ scrollTop, clientHeight, scrollHeight } = document.documentElement] = all(document, PAGE),
      isAtEnd = event.key !== "PageDown" || scrollTop + clientHeight > scrollHeight - 2;
    if (stepOf(event, this.root) < 1 || !isAtEnd) return;
    event.preventDefault();
    if (!event.isTrusted && !this.reached.size) within(this.root, ".switch").click();
    else all(document, LINK).forEach((link) => link.click());
  };

  destroy() {
    this.stop();
    document.removeEventListener("keydown", this.press);
  }
}
