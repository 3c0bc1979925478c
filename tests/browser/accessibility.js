// What a test asks of a page about those who hear it, or who need contrast.
const AT_REST = 2; // looks
const deep = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])]);
globalThis.accessibility = {
  // Nothing is computed, brought, filled, written anew or faded in any more, asked again and again.
  looks: 0,
  isSettled(language, ink) {
    this.looks = this.isStill(language, ink) ? this.looks + 1 : 0;
    if (this.looks <= AT_REST) return false;
    this.looks = 0;
    return true;
  },

  isStill(language, ink) {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const components = all("[data-testid=stBidiComponentIsolated]").map((one) => one.shadowRoot);
    const isFilled = (root) => root && [...root.querySelectorAll("h2, h3, button")].every((one) => !one.checkVisibility() || one.childNodes.length);
    // These two wait in the page for what the server brings them, and are named once it is there.
    const isNamed = ([part, one]) => all(part).every((at) => at.querySelector("[data-testid=stBidiComponentIsolated]")?.shadowRoot?.querySelector(one));
    // The server writes the numbers of a chart, and hears of another theme a little later.
    const isWritten = ({ layout }) => layout?.font.color === ink;
    // Those of a frame that scrolls go with what is scrolled, not with time.
    const moves = ({ playState, effect, timeline }) => playState === "running" && timeline === document.timeline && effect?.getTiming().iterations !== Infinity;
    return document.documentElement.lang.startsWith(language)
      && document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
      && document.querySelector("h1") !== null
      && !all("[data-testid=stSkeleton], [data-stale=true]").length
      && components.every(isFilled)
      && all(".js-plotly-plot").every(isWritten)
      && [[".st-key-microscope", "canvas[aria-label], .first-view .takes span"], [".st-key-timeline", ".lanes[aria-valuenow]"]].every(isNamed)
      && ![document, ...components].some((root) => root.getAnimations().some(moves)); // each knows of its own alone
  },

  // What axe finds but in what is known: which rule, where, and which of the listed [rule, selector] it is. It does not
  // load style sheets and media again: two rules need them, of sound that plays by itself and of pages that cannot turn.
  // Of the rules that are off one asks a person to look at what is hidden and finds no violation, and one is `faint`, below.
  async violations(runOnly, listed, known) {
    const rules = { "hidden-content": { enabled: false }, "color-contrast": { enabled: false } };
    const { violations } = await axe.run(known ? { exclude: [[known]] } : document, { runOnly, rules, resultTypes: ["violations"], elementRef: true, preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, element }) => ({
      rule: id,
      selector: target.flat(Infinity).join(" "),
      html,
      listed: listed.findIndex(([rule, selector]) => rule === id && element.matches(selector)),
    })));
  },

  // Texts with too little contrast to the colours of the elements around them, which axe finds in ten times as long, by what
  // lies over and under each. Like axe it leaves out what is no word. The number of a slider stands outside its element.
  faint() {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), known = new Map(), grounds = new Map();
    const parsed = (colour) => {
      if (!known.has(colour)) {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
      }
      return known.get(colour);
    };
    const over = ([r, g, b, a], ground, opacity = 1) => [r, g, b].map((x, i) => ground[i] + (x - ground[i]) * (a / 255) * opacity);
    const outer = (one) => one.assignedSlot ?? one.parentElement ?? one.getRootNode().host;
    // The colour of the ground and the opacity; null: a picture.
    const groundOf = (one) => {
      if (!(one instanceof Element)) return { colour: [255, 255, 255], opacity: 1 };
      if (!grounds.has(one)) {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one), below = groundOf(outer(one));
        grounds.set(one, below && backgroundImage === "none"
          ? { colour: over(parsed(backgroundColor), below.colour, below.opacity * opacity), opacity: below.opacity * opacity } : null);
      }
      return grounds.get(one);
    };
    const light = (colour) => colour.map((x) => (x <= 10.31 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
    const isFaint = (one) => {
      const ground = groundOf(one), { color, fontSize, fontWeight } = getComputedStyle(one), size = parseFloat(fontSize);
      if (!ground || !ground.opacity) return false;
      const [lower, upper] = [ground.colour, over(parsed(color), ground.colour, ground.opacity)].map(light).sort((a, b) => a - b);
      return (upper + 0.05) / (lower + 0.05) < (size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5);
    };
    const isRead = (one) => one instanceof HTMLElement && !one.matches("style, script, option") && one.checkVisibility({ visibilityProperty: true })
      && [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1)
      && !one.closest(":disabled, [aria-disabled=true], label:has(:disabled), [inert], [aria-hidden=true], [data-testid=stSliderThumbValue]") && one.clientHeight !== 1;
    return deep(document.body).filter((one) => isRead(one) && isFaint(one)).map((one) => one.outerHTML.slice(0, 200));
  },

  // Pictures and charts that nothing names: neither they nor what stands around them in their component.
  unnamed() {
    const isNamed = (one) => one.ariaHidden === "true" || one.ariaLabel || one.alt || one.querySelector(":scope > figcaption")
      || (one.matches("button, [role=button]") && one.textContent.trim());
    const within = (one) => one && !one.matches("[data-testid=stElementContainer]") ? [one, ...within(one.parentElement)] : [];
    return deep(document.body)
      .filter((one) => one.matches("canvas, .js-plotly-plot, img, svg[role=img]") && one.checkVisibility())
      .filter((one) => !one.closest("[data-testid=stDataFrame]")) // Streamlit's table, which reads its cells out
      .filter((one) => !within(one).some(isNamed))
      .map((one) => one.outerHTML.slice(0, 200));
  },
};
