import { isModified } from "../shared/dom.js";

/** @type {Record<string, number>} */
const WAYS = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1, Home: -Infinity, End: Infinity };

/**
 * By how many scenes a key leads on or back; 0 for other keys, and where something else is in use.
 * @param {KeyboardEvent} event @param {HTMLElement} root of the figure that may have the focus
 */
export function stepOf(event, root) {
  const [target] = event.composedPath(),
    isFree = target === document.body || (target instanceof Element && root.contains(target)),
    by = WAYS[event.key] ?? 0,
    // The first and the last scene are presenter view's; elsewhere these keys scroll.
    isOther = isModified(event) || event.defaultPrevented || (event.isTrusted && !Number.isFinite(by)),
    isUsed = target instanceof Element && target.matches("input, select, .scrolls");
  return isFree && !isOther && !isUsed ? by : 0;
}
