const LONGEST = 12;

/**
 * A reader's word as it stands among others; where it is cut, an ellipsis says so.
 * @param {string} name
 */
export function shortened(name) {
  const letters = [...name];
  return letters.length <= LONGEST ? name : `${letters.slice(0, LONGEST - 1).join("")}…`;
}

/**
 * A template with its {fields} filled in; what is filled in is never taken for a field.
 * @param {string} template @param {Record<string, string | number>} fields
 */
export const filled = (template, fields) => template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
