const SEEN = "attention-microscope-translated",
  MOST = 100; // sentences

/**
 * Whether a sentence comes to this tab for the first time; asked once, it does so no more.
 * @param {string} sentence
 */
export function comesFirst(sentence) {
  /** @type {string[]} */
  const seen = JSON.parse(sessionStorage.getItem(SEEN) ?? "[]");
  if (seen.includes(sentence)) return false;
  sessionStorage.setItem(SEEN, JSON.stringify([...seen, sentence].slice(-MOST)));
  return true;
}
