/**
 * Whether the focused control handles a key itself: fields and selects all keys, buttons Enter and Space.
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

/**
 * Whether a key goes into a text.
 * @param {KeyboardEvent} event
 */
export function isTyped(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range");
}
