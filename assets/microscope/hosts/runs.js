/**
 * Publishes the data of a run, or its weights, to present and later receivers. Returns a function that withdraws it.
 * @param {Ground} parentElement @param {Sent} sent @param {SentName} [name]
 */
export function offer(parentElement, sent, name = "run") {
  const wanted = /** @type {const} */ (`microscope:${name}-wanted`);
  const send = () => dispatch(parentElement, `microscope:${name}`, sent);
  /** @param {Event} event */
  const answer = ({ target }) => target === viewerOf(parentElement) && send();
  document.addEventListener(wanted, answer);
  send();
  return () => document.removeEventListener(wanted, answer);
}

/**
 * Receives the data of the last run, or its weights, and of all later ones. Returns a function that stops it.
 * @param {Ground} parentElement @param {(sent: Sent) => void} listener @param {SentName} [name]
 */
export function receive(parentElement, listener, name = "run") {
  const sent = /** @type {const} */ (`microscope:${name}`);
  /** @param {CustomEvent<Sent>} event */
  const hear = ({ target, detail }) => target === viewerOf(parentElement) && listener(detail);
  document.addEventListener(sent, hear);
  dispatch(parentElement, `${sent}-wanted`, null);
  return () => document.removeEventListener(sent, hear);
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
