/**
 * Whether a key belongs to what has the focus: fields and choices keep theirs, buttons only those that press them.
 * @param {KeyboardEvent} event
 */
export function isForControl(event) {
  const [target] = event.composedPath();
  if (!(target instanceof Element)) return false;
  if (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="slider"], [role="radiogroup"], [role="tablist"], [role="dialog"], [role="listbox"]',
    )
  )
    return true;
  return (event.key === " " || event.key === "Enter") && Boolean(target.closest("button, a, summary"));
}
