// All steps in presentation mode: what of each does not fit the screen. Frames are drawn without waiting for the
// screen's, and the place is left as it was, so that no server is told.
() => {
  let found = null;
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: (instance) => (found ??= instance) }));
  if (!found?.store.isReady) return null;
  const { store, element, place } = found, real = globalThis.requestAnimationFrame, asked = [], failures = [];
  const draw = () => asked.splice(0).forEach((frame) => frame(performance.now()));
  const scrolls = (one) => one && Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth) > 1;
  globalThis.requestAnimationFrame = (frame) => asked.push(frame);
  for (const stage of store.steps) {
    found.go({ stage, presenting: true });
    draw();
    store.notify("size"); // the words of the step have another height than those of the one before
    draw();
    const canvas = element.querySelector(".figure canvas").getBoundingClientRect();
    if (canvas.bottom > innerHeight || canvas.right > innerWidth) failures.push(`${stage}: canvas`);
    for (const part of ["", ".figure", "aside .card"])
      if (scrolls(part ? element.querySelector(part) : element)) failures.push(`${stage}: ${part || "all"}`);
  }
  found.go(place);
  draw();
  globalThis.requestAnimationFrame = real;
  return failures;
}
