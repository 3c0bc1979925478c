// All steps in presentation mode: what of each does not fit the screen, or has type below 20 pixels (numbers: 13) where
// that is 1920 wide, indices such as that of d_k apart; null where no microscope is visible. Frames are drawn without
// waiting for the screen, and the selection is restored at the end, so that no server hears of it.
async () => {
  let found = null;
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: (instance) => (found ??= instance) }));
  if (!found?.store.layout) return null;
  const { store, element, selection } = found, real = globalThis.requestAnimationFrame;
  const canvas = element.querySelector(".figure canvas");
  let small = "";
  const asked = [], failures = [], FRAMES = 60, NUMBER = /^[−\d.]+$/, INDICES = /^(k|v|c|model|ff)$/;
  globalThis.requestAnimationFrame = (frame) => asked.push(frame);
  const drawn = async () => {
    const { layout } = store;
    small = "";
    asked.splice(0).forEach((frame) => frame(performance.now()));
    // A frame may have been under way before.
    for (let waited = 0; store.layout === layout && waited < FRAMES; waited++) await new Promise(real);
    if (store.layout === layout) failures.push(`${store.stage}: not drawn`);
  };
  const scrolls = (one) => Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth) > 1;
  const tooLarge = () => {
    const { bottom, right } = canvas.getBoundingClientRect();
    const parts = [element, ...element.querySelectorAll(".figure, aside .card")].filter(scrolls);
    return [...(bottom > innerHeight || right > innerWidth ? ["canvas"] : []), ...parts.map((one) => one.className)];
  };
  const pen = CanvasRenderingContext2D.prototype, { fillText } = pen;
  pen.fillText = function (text, ...rest) {
    const size = parseFloat(/([\d.]+)px/.exec(this.font)[1]);
    const least = (NUMBER.test(text) ? 13 : 20) * innerWidth / 1920 - 0.01;
    if (this.canvas === canvas && size < least && !INDICES.test(text)) small = `${text}: ${size} px`;
    fillText.call(this, text, ...rest);
  };
  for (const stage of store.steps) {
    found.go({ stage, presenting: true });
    if (!store.isHere) continue;
    await drawn();
    for (let times = 0; times < 3 && tooLarge().length; times++) {
      store.notify("size"); // its words are higher than those of the step before, and then wrap anew
      await drawn();
    }
    if (small) failures.push(`${stage}: ${small}`);
    failures.push(...tooLarge().map((part) => `${stage}: ${part}`));
  }
  found.go(selection);
  await drawn();
  globalThis.requestAnimationFrame = real;
  pen.fillText = fillText;
  return failures;
}
