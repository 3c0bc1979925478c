import { all, around, focusedBeside, make, sectionOf, toMicroscope, within } from "../shared/dom.js";
import { roving } from "../microscope/stepper/roving.js";

/**
 * @typedef {[at: string, name: string, printed: string, share: number, note: string]} Bar
 * @typedef {{ language: string, label: string, chosen: string, tokens?: boolean, bars: Bar[] }} Bars tokens: that a press appends, so none is negative, and nothing is opened
 */

/**
 * Bars in a list, signed ones from the middle to the right or to the left; each is a button.
 * share: the length, −1 to 1.
 * @param {ComponentArgs<Bars>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const section = sectionOf(parentElement),
    focused = focusedBeside(section)?.dataset.at,
    before = section.querySelector(".scroll")?.scrollTop;
  const buttons = data.bars.map(([at, name, printed, share, note]) => {
    const bar = make("i"),
      parts = [make("span", "name", name), make("span", "track", [bar]), make("b", "", printed), make("em", "", note)];
    const button = make("button", share < 0 ? "less" : "more", parts);
    bar.style.setProperty("--length", String(Math.abs(share)));
    button.dataset.at = at;
    button.ariaDisabled = at ? null : "true";
    button.toggleAttribute("aria-current", at === data.chosen);
    return button;
  });
  const scroll = make("div", "scroll", buttons, { role: "group", ariaLabel: data.label });
  section.lang = data.language;
  section.classList.toggle("from-zero", Boolean(data.tokens));
  section.replaceChildren(scroll);
  scroll.onclick = (event) => {
    const at = around(event, "button")?.dataset.at;
    if (!at) return;
    setTriggerValue("choose", at);
    if (!data.tokens) toMicroscope();
  };
  if (buttons.length) roving(scroll, "button", section.querySelector("[aria-current]") ?? within(scroll, "button"));
  scroll.scrollTop = before ?? 0;
  if (focused)
    [...all(section, "button")].find(({ dataset }) => dataset.at === focused)?.focus({ preventScroll: true });
}
