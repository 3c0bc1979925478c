import { all, around, focusedBeside, make, sectionOf, toMicroscope, within } from "../shared/dom.js";
import { unpacked } from "../microscope/engine/blob.js";
import { roving } from "../microscope/stepper/roving.js";
import { paletteOf, rampOf } from "../microscope/theme.js";
import { pixelsOf } from "../shared/pixels.js";

/**
 * @typedef {{ name: string, about: string, folded: boolean, heads: [at: string, does: string][] }} Group
 * @typedef {{
 *   language: string, label: string, title: string, heads: number, chosen: string, mutes: boolean, changed: string[], groups: Group[],
 *   palettes: { light: Palette, dark: Palette }, arrays: { pictures: { shape: number[], values: Uint8Array } },
 * }} Pictures
 */

/**
 * The weights of every head as a small picture, in groups: rows are queries, columns are keys.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const section = sectionOf(parentElement),
    focused = focusedBeside(section)?.dataset.at,
    before = section.querySelector(".scroll")?.scrollTop;
  const shown = /** @type {Pictures} */ (/** @type {unknown} */ (unpacked(data)));
  const ramp = rampOf({ kind: "share" }, paletteOf(section, shown)),
    now = make("p", "now");
  /** @type {Map<string, string>} */
  const does = new Map(
    shown.groups.flatMap(({ heads, about }) => heads.map(([at, text]) => [at, about ? `${text}. ${about}` : text])),
  );
  const scroll = make(
    "div",
    shown.mutes ? "scroll mutes" : "scroll",
    shown.groups.flatMap((group) => drawn(group, shown, ramp)),
    { role: "group", ariaLabel: shown.label },
  );
  section.lang = shown.language;
  section.replaceChildren(scroll, now);
  /** @param {string} at */
  const describe = (at) => now.replaceChildren(make("b", "", placeOf(shown, at)), `\u2003${does.get(at)}`);
  /** @param {Event} event */
  const point = (event) => describe(around(event, "button")?.dataset.at ?? shown.chosen);
  for (const kind of ["pointerover", "focusin"]) scroll.addEventListener(kind, point);
  for (const kind of ["pointerleave", "focusout"]) scroll.addEventListener(kind, () => describe(shown.chosen));
  scroll.onclick = (event) => {
    const at = around(event, "button")?.dataset.at;
    if (!at) return;
    setTriggerValue("choose", at);
    if (shown.mutes) return;
    shown.chosen = at;
    for (const one of all(scroll, "button")) one.toggleAttribute("aria-current", one.dataset.at === at);
    toMicroscope();
  };
  const chosen = within(scroll, "[aria-current]");
  roving(scroll, "button", chosen);
  describe(shown.chosen);
  scroll.scrollTop = before ?? 0;
  if (focused) [...all(scroll, "button")].find(({ dataset }) => dataset.at === focused)?.focus({ preventScroll: true });
}

/** @param {Group} group @param {Pictures} shown @param {Ramp} ramp @returns {HTMLElement[]} */
function drawn({ name, about, folded, heads }, shown, ramp) {
  const title = make("h3", "", about ? [name, make("i", "", ` · ${heads.length}`)] : name, { title: about }),
    pictures = make(
      "div",
      "group",
      heads.map(([at, does]) => button(at, does, shown, ramp)),
    );
  if (folded) {
    const open = heads.some(([at]) => at === shown.chosen);
    return [make("details", "", [make("summary", "", [title]), pictures], { open })];
  }
  return about ? [title, pictures] : [make("div", "layer", [title, pictures])];
}

/** @param {string} at @param {string} does @param {Pictures} shown @param {Ramp} ramp */
function button(at, does, shown, ramp) {
  const { shape, values } = shown.arrays.pictures,
    [, side] = shape;
  const [layer, head] = at.split("/").map(Number),
    begins = ((layer - 1) * shown.heads + head - 1) * side * side;
  const picture = pixelsOf(side, side, (i) =>
    i % side > Math.floor(i / side) ? [0, 0, 0, 0] : ramp[values[begins + i]],
  );
  const title = `${placeOf(shown, at)}: ${does}`,
    element = make("button", "", [picture], { title, ariaLabel: title });
  element.dataset.at = at;
  element.toggleAttribute("aria-current", at === shown.chosen);
  element.classList.toggle("changed", shown.changed.includes(at));
  return element;
}

/** @param {Pictures} shown @param {string} at */
function placeOf({ title }, at) {
  const [layer, head] = at.split("/");
  return title.replace("{layer}", layer).replace("{head}", head);
}
