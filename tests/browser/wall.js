// What presenter view lacks: the page's figure, its headline or claim, room without the sidebar, word of a lost connection, type that the last row reads.
(figure) => {
  const SMALLEST = 20, main = document.querySelector("[data-testid=stMainBlockContainer]");
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--wall-zoom"));
  const isSeen = (one) => one?.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0;
  const lacking = figure.filter((key) => !isSeen(document.querySelector(`.st-key-${key}`)));
  if (!isSeen(main.querySelector("h1"))) lacking.push("headline");
  const claim = document.documentElement.hasAttribute("data-result-hidden") ? "lead" : "learnt_card";
  for (const key of ["learnt_card", "rounded", "lead"]) {
    const part = document.querySelector(`.st-key-${key}`);
    if (part && isSeen(part) !== (key === claim)) lacking.push(key);
  }
  if (!document.querySelector(".st-key-connection")?.checkVisibility()) lacking.push("a lost connection");
  if (isSeen(document.querySelector("[data-testid=stSidebar]"))) lacking.push("no sidebar");
  const texts = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? texts(one.shadowRoot) : [])]);
  const small = texts(main).filter((one) => {
    const says = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!says || !isSeen(one) || one.closest("sup, sub, style, .katex, .symbol, .bar, [data-testid=stTooltipIcon]")) return false;
    const drawn = one.closest(".js-plotly-plot") ? zoom : 1;
    return parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom * drawn < SMALLEST - 0.5;
  });
  const [least] = small;
  if (least) lacking.push(`${least.textContent.slice(0, 30)} (${small.length} texts are small)`);
  return lacking;
}
