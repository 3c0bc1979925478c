import { all, label, make, setChildren, setText } from "../../shared/dom.js";

const TRIES = 10,
  COMES = 500; // milliseconds after which the end of the page may be there

/**
 * What a lecture hall needs at the foot of the screen: back and on, what the page teaches, the result hidden or shown,
 * and the way out.
 * @param {Store} store
 * @returns {ShownPart}
 */
export function presenterBar(store) {
  const element = make("div", "hall");
  /** @param {string} name @param {() => void} onclick */
  const button = (name, onclick) => element.appendChild(make("button", name, "", { onclick }));
  const back = button("back", () => store.step(0)),
    forward = button("forward", () => store.step(1)),
    claim = element.appendChild(make("div", "claim")),
    hide = button("hide", () => store.toggleResult()),
    leave = button("leave", () => store.present(false));

  let tries = 0;

  /** The end of a page may come after its microscope. */
  function sayClaim() {
    setChildren(claim, store.presenting ? claimOfPage(store.resultHidden) : []);
    if (!store.presenting) tries = 0;
    else if (!claim.hasChildNodes() && tries++ < TRIES) setTimeout(sayClaim, COMES);
  }

  function changed() {
    const words = store.trace.words.microscope;
    label(back, "‹", words.previous);
    label(forward, "›", words.next);
    [back.disabled, forward.disabled] = store.ways.map((way) => way === null);
    sayClaim();
    hide.disabled = store.isLed;
    setText(hide, store.resultHidden ? words.show_result : words.hide_result);
    setText(leave, words.leave_presenter);
  }

  return { element, changed };
}

/**
 * What the app's page teaches, or says at its beginning while the result is hidden; nothing on a page without.
 * @param {boolean} isHidden
 */
function claimOfPage(isHidden) {
  const texts = [...all(document, `.st-key-${isHidden ? "lead" : "learnt"} *`)].flatMap(
    ({ shadowRoot }) => shadowRoot ?? [],
  );
  return texts.flatMap((root) => [...root.querySelectorAll("p")].map((text) => text.cloneNode(true)));
}
