const SENT = "microscope:run",
  WANTED = "microscope:run-wanted";

/**
 * Publishes the data of a run to present and later receivers. Returns a function that withdraws it.
 * @param {Ground} parentElement @param {Sent} sent
 */
export function offer(parentElement, sent) {
  const viewer = viewerOf(parentElement);
  const send = () => viewer.dispatchEvent(new CustomEvent(SENT, { detail: sent }));
  viewer.addEventListener(WANTED, send);
  send();
  return () => viewer.removeEventListener(WANTED, send);
}

/**
 * Receives the data of the last run and of all later ones. Returns a function that stops it.
 * @param {Ground} parentElement @param {(sent: Sent) => void} listener
 */
export function receive(parentElement, listener) {
  const viewer = viewerOf(parentElement);
  /** @param {CustomEvent<Sent>} event */
  const hear = ({ detail }) => listener(detail);
  viewer.addEventListener(SENT, hear);
  viewer.dispatchEvent(new CustomEvent(WANTED));
  return () => viewer.removeEventListener(SENT, hear);
}

/**
 * The element of the page that contains both components.
 * @param {Ground} parentElement
 */
function viewerOf(parentElement) {
  const host = parentElement instanceof ShadowRoot ? parentElement.host : parentElement,
    /** @type {HTMLElement | null} */
    viewer = host.closest(".st-key-viewer");
  if (!viewer) throw new Error("a component of the viewer stands outside it");
  return viewer;
}
