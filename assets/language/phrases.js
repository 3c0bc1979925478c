/**
 * What Streamlit says, as it may stand on a page, and what is said instead.
 * @typedef {{ said: RegExp, instead: string }} Phrase
 * @typedef {[said: string, instead: string]} Translation
 */

/** @param {Translation[]} translations @returns {Phrase[]} */
export function phrasesOf(translations) {
  return translations.map(([said, instead]) => {
    const literal = said.replace(/[.*+?^$()|[\]\\/]/g, "\\$&");
    return { said: new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s"), instead };
  });
}

/**
 * A text in other words, with its space around; null where it is none of the phrases.
 * @param {string} text @param {Phrase[]} phrases
 */
export function inOtherWords(text, phrases) {
  const core = text.trim();
  for (const { said, instead } of core ? phrases : []) {
    const found = said.exec(core);
    if (found) return text.replace(core, () => instead.replace(/\{(\w+)\}/g, (_, name) => found.groups?.[name] ?? ""));
  }
  return null;
}
