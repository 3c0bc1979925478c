import { all, rootOf } from "../../shared/dom.js";

/**
 * Keeps what the page puts above, beside and below the words over the slots that the
 * microscope has for it: elements of the page cannot move into a component, but they can lie over one.
 * @param {HTMLElement} element
 */
export function fitSlots(element) {
  const root = rootOf(element);
  /** @type {HTMLElement | null} */
  const viewer = (root instanceof ShadowRoot ? root.host : element).closest(".st-key-viewer");
  if (!viewer) return () => {};
  const fit = () => {
    for (const slot of all(element, ".page-slot")) {
      const [guest] = all(viewer, `.st-key-viewer_${slot.id}`),
        high = guest?.offsetHeight ?? 0;
      if (guest) resized.observe(guest);
      slot.style.height = high > 1 ? `${high}px` : "0";
      slot.hidden = high <= 1;
    }
    const from = viewer.getBoundingClientRect();
    for (const slot of all(element, ".page-slot:not([hidden])")) {
      const { left, top, width } = slot.getBoundingClientRect();
      for (const [name, value] of Object.entries({ left: left - from.left, top: top - from.top, width })) {
        viewer.style.setProperty(`--${slot.id}-${name}`, `${value}px`);
      }
    }
  };
  const resized = new ResizeObserver(fit),
    grown = new MutationObserver(fit);
  resized.observe(element);
  for (const part of all(element, ".stepper, .chips, .card")) resized.observe(part);
  grown.observe(viewer, { childList: true, subtree: true });
  fit();
  return () => {
    resized.disconnect();
    grown.disconnect();
  };
}

const GAP = 13; // pixels below each of them

/** Tells the style sheet how high the page's notices and errors are, for which presentation mode leaves room below itself. */
export function fitBelow() {
  const fit = () => {
    for (const name of ["notices", "error"]) {
      const [box] = all(document, `.st-key-${name}`),
        high = box?.offsetHeight ?? 0;
      if (box) resized.observe(box);
      document.documentElement.style.setProperty(`--${name}`, `${high && high + GAP}px`);
    }
  };
  const resized = new ResizeObserver(fit),
    grown = new MutationObserver(fit);
  grown.observe(document.body, { childList: true, subtree: true });
  fit();
  return () => {
    resized.disconnect();
    grown.disconnect();
  };
}
