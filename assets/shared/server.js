import { within } from "./dom.js";

/**
 * The address of something that the server of this page answers, wherever the app is served.
 * @param {string} path
 */
export function serverUrl(path) {
  const script = /** @type {HTMLScriptElement} */ (within(document, 'script[type="module"][src]'));
  return new URL(`../../${path}`, script.src);
}
