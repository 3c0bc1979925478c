/**
 * Slanted lines over a rectangle, from left to right upwards, or downwards with leansBack.
 * @param {Pen} pen @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {string} colour @param {{ apart?: number, leansBack?: boolean }} [given]
 */
export function hatch(pen, x, y, width, height, colour, { apart = 6, leansBack = false } = {}) {
  const [from, to] = leansBack ? [y, y + height] : [y + height, y];
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let at = -height; at < width; at += apart) {
    pen.moveTo(x + at, from);
    pen.lineTo(x + at + height, to);
  }
  pen.stroke();
  pen.restore();
}
