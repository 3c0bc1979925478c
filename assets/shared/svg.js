const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string | number>} [attributes] @param {Node[]} [children]
 */
export function shape(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A text in the middle of the height y. anchor: which part of it is at x.
 * @param {number} x @param {number} y @param {string} content @param {string} name
 * @param {"start" | "middle" | "end"} [anchor]
 */
export function text(x, y, content, name, anchor = "middle") {
  const element = shape("text", { x, y, class: name, "text-anchor": anchor, "dominant-baseline": "central" });
  element.textContent = content;
  return element;
}
