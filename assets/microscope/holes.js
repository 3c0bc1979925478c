import { rootOf } from "../shared/dom.js";

/**
 * Keeps what the page puts above, beside and below the words in the places that the microscope has
 * for it: elements of the page cannot move into a component, but they can lie over one.
 * @param {HTMLElement} element
 */
export function fitHoles(element) {
  const root = rootOf(element);
  /** @type {HTMLElement | null} */
  const viewer = (root instanceof ShadowRoot ? root.host : element).closest(".st-key-viewer");
  if (!viewer) return () => {};
  const fit = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const holes = element.querySelectorAll(".hole");
    for (const hole of holes) {
      /** @type {HTMLElement | null} */
      const guest = viewer.querySelector(`.st-key-viewer_${hole.id}`),
        high = guest?.offsetHeight ?? 0;
      if (guest) seen.observe(guest);
      hole.style.height = high > 1 ? `${high}px` : "0";
      hole.hidden = high <= 1;
    }
    const from = viewer.getBoundingClientRect();
    for (const hole of element.querySelectorAll(".hole:not([hidden])")) {
      const { left, top, width } = hole.getBoundingClientRect();
      for (const [name, value] of Object.entries({ left: left - from.left, top: top - from.top, width })) {
        viewer.style.setProperty(`--${hole.id}-${name}`, `${value}px`);
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
