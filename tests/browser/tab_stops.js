async (counted) => {
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]";
  const SCROLLED = "[data-testid=stMain]"; // the page itself: a frame around all of it would show nothing
  const LEAST = 3, THIN = 2, SMALL = 8; // contrast; pixels
  // What was taken from the page has a root of its own, and a link as root a "host" that is a text.
  const outside = (root) => (root instanceof ShadowRoot ? root.host : null);
  const over = (e) => e.parentElement ?? outside(e.getRootNode());
  const keyOf = (e) => {
    for (let at = e; at; at = over(at)) for (const name of at.classList) if (name.startsWith("st-key-")) return name.slice(7);
    return "";
  };
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  // A ring lies around its element: on what is larger than that.
  const groundOf = (e) => {
    const { width } = e.getBoundingClientRect();
    for (let at = over(e); at; at = over(at)) {
      if (at.getBoundingClientRect().width < width + 4 * THIN) continue;
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const around = (e) => {
    const found = [e];
    for (let at = over(e); at && found.length < 6; at = over(at)) found.push(at);
    return found;
  };
  const ring = (e) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(e);
    return outlineStyle === "none" || parseFloat(outlineWidth) < THIN ? "" : outlineColor;
  };
  const isVisible = (e, colour) => {
    const { width, height } = e.getBoundingClientRect();
    return colour && width >= SMALL && height >= SMALL && contrast(numbers(colour), groundOf(e)) >= LEAST;
  };
  const stops = [], walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) walk(e.shadowRoot);
      if (e.matches(FOCUSABLE) && e.tabIndex >= 0 && !e.disabled && !e.closest("[inert]") && e.checkVisibility({ visibilityProperty: true }) && !e.matches(SCROLLED)) stops.push(e);
    }
  };
  walk(document);
  if (counted) return stops.length;
  const frame = () => new Promise(requestAnimationFrame);
  const checked = [];
  for (const e of stops) {
    document.activeElement?.blur();
    const outlined = around(e), before = outlined.map(ring);
    e.focus({ preventScroll: true });
    const isRung = () => outlined.some((at, i) => ring(at) !== before[i] && isVisible(at, ring(at)));
    for (let i = 0; i < 20 && e.matches(":focus") && !isRung(); i++) await frame(); // a ring may come in a transition
    const name = `${e.tagName.toLowerCase()} ${(e.ariaLabel ?? e.textContent).trim().slice(0, 40)}`;
    checked.push({ key: keyOf(e), component: e.getRootNode() instanceof ShadowRoot, name, focused: e.matches(":focus"), rung: isRung() });
  }
  return checked;
}
