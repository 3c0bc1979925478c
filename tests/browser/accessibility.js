// What a test asks of a page about those who hear it, or who need contrast.
const AT_REST = 2; // looks
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
    const moves = ({ playState, effect }) => playState === "running" && effect?.getTiming().iterations !== Infinity;
    return document.documentElement.lang.startsWith(language)
      && document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
      && document.querySelector("h1") !== null
      && !all("[data-testid=stSkeleton], [data-stale=true]").length
      && components.every(isFilled)
      && all(".js-plotly-plot").every(isWritten)
      && [[".st-key-microscope", "canvas[aria-label], .first-view .takes span"], [".st-key-timeline", ".lanes[aria-valuenow]"]].every(isNamed)
      && !document.getAnimations().some(moves);
  },

  // What axe finds but in what is known: which rule, where, and which of the listed [rule, selector] it is. It does not
  // load style sheets and media again: two rules need them, of sound that plays by itself and of pages that cannot turn.
  async violations(runOnly, listed, known) {
    const { violations } = await axe.run(known ? { exclude: [[known]] } : document, { runOnly, resultTypes: ["violations"], elementRef: true, preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, element }) => ({
      rule: id,
      selector: target.flat(Infinity).join(" "),
      html,
      listed: listed.findIndex(([rule, selector]) => rule === id && element.matches(selector)),
    })));
  },

  // Pictures and charts that nothing names: neither they nor what stands around them in their component.
  unnamed() {
    const deep = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])]);
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
