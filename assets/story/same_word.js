import { make, onRemoval, viewOf } from "../shared/dom.js";
import { play, twins } from "./twins.js";

/**
 * The picture of the story's first scene alone.
 * @param {ComponentArgs<Twins["words"]>} args
 */
export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, () => new SameWord(parentElement));
  view.take(data);
  return onRemoval(parentElement, () => view.stop());
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
}
