const LONGEST = 12;

/**
 * A reader's word, truncated with an ellipsis.
 * @param {string} name
 */
export function shortened(name) {
  const letters = [...name];
  return letters.length <= LONGEST ? name : `${letters.slice(0, LONGEST - 1).join("")}…`;
}

/**
 * Fills the {fields} of a template; inserted text is not searched for fields.
 * @param {string} template @param {Record<string, string | number>} fields
 */
export const filled = (template, fields) => template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
