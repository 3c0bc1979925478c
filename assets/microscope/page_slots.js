import { rootOf } from "../shared/dom.js";

/**
 * Keeps what the page puts above, beside and below the words in the places that the microscope has
 * for it: elements of the page cannot move into a component, but they can lie over one.
 * @param {HTMLElement} element
 */
export function fitSlots(element) {
  const root = rootOf(element);
  /** @type {HTMLElement | null} */
  const viewer = (root instanceof ShadowRoot ? root.host : element).closest(".st-key-viewer");
  if (!viewer) return () => {};
  const fit = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const slots = element.querySelectorAll(".page-slot");
    for (const slot of slots) {
      /** @type {HTMLElement | null} */
      const guest = viewer.querySelector(`.st-key-viewer_${slot.id}`),
        high = guest?.offsetHeight ?? 0;
      if (guest) seen.observe(guest);
      slot.style.height = high > 1 ? `${high}px` : "0";
      slot.hidden = high <= 1;
    }
    const from = viewer.getBoundingClientRect();
    for (const slot of element.querySelectorAll(".page-slot:not([hidden])")) {
      const { left, top, width } = slot.getBoundingClientRect();
      for (const [name, value] of Object.entries({ left: left - from.left, top: top - from.top, width })) {
        viewer.style.setProperty(`--${slot.id}-${name}`, `${value}px`);
      }
    }
  };
  const seen = new ResizeObserver(fit),
    grown = new MutationObserver(fit);
  seen.observe(element);
  for (const part of element.querySelectorAll(".rail, .chips, .card")) seen.observe(part);
  grown.observe(viewer, { childList: true, subtree: true });
  fit();
  return () => {
    seen.disconnect();
    grown.disconnect();
  };
}
