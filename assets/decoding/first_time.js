const KEY = "attention-microscope-translated",
  MOST = 100; // sentences

/**
 * Whether a sentence comes to this tab for the first time; asked once, it does so no more.
 * @param {string} sentence
 */
export function comesFirst(sentence) {
  /** @type {string[]} */
  const shown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  if (shown.includes(sentence)) return false;
  sessionStorage.setItem(KEY, JSON.stringify([...shown, sentence].slice(-MOST)));
  return true;
}
