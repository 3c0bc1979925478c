import { isForControl, isTyped } from "../microscope/stepper/key_guard.js";
import { isModified } from "../shared/dom.js";

/** @type {Record<string, number>} */
export const STEPS = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
/** @type {Record<string, number>} */
export const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };
const NAMES = ["b", "h", "p", "Escape"];

/**
 * What a key asks presenter view for; null if it is none of its keys, or goes into a control.
 * @param {KeyboardEvent} event
 * @returns {Press | null}
 */
export function pressOf(event) {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key,
    isStep = name in STEPS && !isTyped(event); // clickers send nothing else, whatever has the focus
  if (isModified(event) || !(isStep || name in STEPS || name in ARROWS || NAMES.includes(name))) return null;
  return isStep || !isForControl(event) ? { name, path: location.pathname } : null;
}
