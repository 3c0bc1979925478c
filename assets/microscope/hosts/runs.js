const SENT = "microscope:run",
  WANTED = "microscope:run-wanted";

/**
 * Publishes the data of a run to present and later receivers. Returns a function that withdraws it.
 * @param {Ground} parentElement @param {Sent} sent
 */
export function offer(parentElement, sent) {
  const send = () => dispatch(parentElement, SENT, sent);
  /** @param {Event} event */
  const answer = ({ target }) => target === viewerOf(parentElement) && send();
  document.addEventListener(WANTED, answer);
  send();
  return () => document.removeEventListener(WANTED, answer);
}

/**
 * Receives the data of the last run and of all later ones. Returns a function that stops it.
 * @param {Ground} parentElement @param {(sent: Sent) => void} listener
 */
export function receive(parentElement, listener) {
  /** @param {CustomEvent<Sent>} event */
  const hear = ({ target, detail }) => target === viewerOf(parentElement) && listener(detail);
  document.addEventListener(SENT, hear);
  dispatch(parentElement, WANTED, null);
  return () => document.removeEventListener(SENT, hear);
}

/** @param {Ground} parentElement @param {string} event @param {Sent | null} detail */
function dispatch(parentElement, event, detail) {
  viewerOf(parentElement)?.dispatchEvent(new CustomEvent(event, { detail, bubbles: true }));
}

/**
 * The element of the page that contains both components. None for the moment in which a page that
 * draws something else than before has them in another element, until Streamlit removes them.
 * @param {Ground} parentElement
 */
function viewerOf(parentElement) {
  const host = parentElement instanceof ShadowRoot ? parentElement.host : parentElement;
  return host.closest(".st-key-viewer");
}
