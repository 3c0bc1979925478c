const LONGEST = 12,
  RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A reader's word, truncated with an ellipsis, isolated for a sentence.
 * @param {string} name
 */
export function shortened(name) {
  const letters = [...name];
  return isolated(letters.length <= LONGEST ? name : `${letters.slice(0, LONGEST - 1).join("")}…`);
}

/**
 * A token as a word of a text: without the mark of a space before it.
 * @param {string} name
 */
export const asWord = (name) => shortened(name.replace(/^[\u2423\u2581](?=.)/u, ""));

/**
 * A text between U+2068 and U+2069 if it has letters that are written from right to left: quoted in a sentence
 * without these, it would change the order of the words beside it. ``views/text/spans.py`` follows the same rule.
 * @param {string} text
 */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/**
 * Fills the {fields} of a template; inserted text is not searched for fields.
 * @param {string} template @param {Record<string, string | number>} fields
 */
export const filled = (template, fields) => template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
