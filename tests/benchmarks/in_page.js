// Functions that the benchmark runs in the page. Each gives milliseconds.
(() => {
  const within = (selector, root = document) => {
    for (const host of root.querySelectorAll("*")) {
      const found = host.shadowRoot?.querySelector(selector);
      if (found) return found;
    }
    return null;
  };
  const store = () => {
    let found = null;
    document.dispatchEvent(new CustomEvent("microscope:find", { detail: (instance) => (found ??= instance.store) }));
    return found;
  };
  // Counts what the page's own work in animation frames takes while something is done.
  async function worked(act) {
    const real = window.requestAnimationFrame;
    let spent = 0;
    window.requestAnimationFrame = (callback) => real((now) => {
      const start = performance.now();
      callback(now);
      spent += performance.now() - start;
    });
    const start = performance.now();
    act();
    spent += performance.now() - start;
    await new Promise((done) => real(() => setTimeout(done)));
    await new Promise((done) => real(() => setTimeout(done)));
    window.requestAnimationFrame = real;
    return spent;
  }

  // Work from a pointer event to the end of the frame that answers it.
  async function hovers(count) {
    const canvas = within(".figure canvas"), { left, top } = canvas.getBoundingClientRect(), box = store().layout.boxes.at(-1);
    const leave = () => canvas.dispatchEvent(new PointerEvent("pointerleave")), isOne = box.plane.rows.size * box.plane.columns.size === 1;
    const times = [];
    for (let i = 0; i < count; i++) {
      const clientX = left + box.x + box.width * (((i * 37) % 100) / 100 + 0.003), clientY = top + box.y + box.height * (((i * 61) % 100) / 100 + 0.003);
      if (isOne) await worked(leave);
      times.push(await worked(() => canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse" }))));
    }
    leave();
    return times;
  }

  // Looks at every frame whether something holds.
  const until = (holds) => new Promise((done) => {
    const look = () => (holds() ? done() : requestAnimationFrame(look));
    look();
  });
  const isAtRest = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";

  // A step: work until its figure stands, and the server's run that follows once one is at rest.
  async function step(key, rest) {
    const start = performance.now(), work = await worked(() => within(`nav button[data-key=${key}]`).click());
    await new Promise((done) => setTimeout(done, rest)); // from then on the server may get the state
    await until(isAtRest);
    return [work, performance.now() - start - rest];
  }

  // A run of the bare page, until its heatmap is another.
  async function run() {
    const picture = () => document.querySelector(".heatmaplayer image")?.getAttribute("href");
    const before = picture(), start = performance.now();
    document.querySelector("[data-testid=stMain] button").click();
    await until(() => picture() && picture() !== before && isAtRest());
    return performance.now() - start;
  }

  globalThis.benchmark = { hovers, run, step };
})();
