/**
 * The index, counted row by row, of the cell of a grid under the pointer; outside of the grid the nearest one.
 * @param {Element} element @param {{ clientX: number, clientY: number }} event @param {number} rows @param {number} columns
 */
export function cellUnder(element, { clientX, clientY }, rows, columns) {
  const { left, top, width, height } = element.getBoundingClientRect();
  /** @param {number} part @param {number} count */
  const indexOf = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
  return indexOf((clientY - top) / height, rows) * columns + indexOf((clientX - left) / width, columns);
}

/**
 * Places an element over a cell of a grid, or over several in a row.
 * @param {HTMLElement} frame @param {number} index @param {number} rows @param {number} columns @param {number} [cells]
 */
export function coverCell({ style }, index, rows, columns, cells = 1) {
  style.left = `${(100 * (index % columns)) / columns}%`;
  style.top = `${(100 * Math.floor(index / columns)) / rows}%`;
  style.width = `${(100 * cells) / columns}%`;
  style.height = `${100 / rows}%`;
}
