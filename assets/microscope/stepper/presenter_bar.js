import { label, make, setText } from "../../shared/dom.js";

/**
 * What a lecture hall needs at the foot of the screen: back and on, the result hidden or shown, and the way out.
 * @param {Store} store
 * @returns {ShownPart}
 */
export function presenterBar(store) {
  const element = make("div", "hall");
  /** @param {string} name @param {() => void} onclick */
  const button = (name, onclick) => element.appendChild(make("button", name, "", { onclick }));
  const back = button("back", () => store.step(0)),
    forward = button("forward", () => store.step(1)),
    hide = button("hide", () => store.toggleResult()),
    leave = button("leave", () => store.present(false));

  function changed() {
    const words = store.trace.words.microscope;
    label(back, "‹", words.previous);
    label(forward, "›", words.next);
    [back.disabled, forward.disabled] = store.ways.map((way) => way === null);
    hide.disabled = store.isLed;
    setText(hide, store.resultHidden ? words.show_result : words.hide_result);
    setText(leave, words.leave_presenter);
  }

  return { element, changed };
}
