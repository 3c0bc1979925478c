const STORED = "attention-microscope-lesson";

/**
 * The lesson that this browser prepares or teaches, and the number of the step that is open.
 * @typedef {{ lesson: Lesson, at: number }} Prepared
 */

/** @returns {Prepared} */
export function prepared() {
  const stored = JSON.parse(localStorage.getItem(STORED) ?? "null");
  return stored ?? { lesson: { title: "", steps: [] }, at: -1 };
}

/** @param {Prepared} now */
export function prepare(now) {
  localStorage.setItem(STORED, JSON.stringify(now));
  document.dispatchEvent(new CustomEvent("class:lesson"));
}

/**
 * A lesson from a file. Throws SyntaxError or TypeError for a file that is none.
 * @param {string} text
 * @returns {Lesson}
 */
export function readLesson(text) {
  const { title, steps } = JSON.parse(text);
  /** @param {any} step */
  const isStep = ({ title, place, ask, right }) =>
    typeof title === "string" &&
    /^\w*$/.test(place.page) &&
    typeof place.query === "string" &&
    (ask === null || (typeof ask.form === "string" && Array.isArray(ask.options) && Array.isArray(ask.about))) &&
    (right === null || typeof right === "string");
  if (typeof title !== "string" || !steps.length || !steps.every(isStep)) throw new TypeError("not a lesson");
  return { title, steps };
}
