import { make, viewOf } from "../shared/dom.js";

const CHART = ".js-plotly-plot";

/**
 * A theme switch redraws components but runs no Python, and charts have their colours from there.
 * Asked once for each switch, so that a server which cannot read the theme is left in peace.
 * @param {ComponentArgs<string>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const mark = viewOf(parentElement, () => parentElement.appendChild(make("i")));
  const theme = getComputedStyle(mark).colorScheme;
  if (theme === data) delete mark.dataset.asked;
  else if (mark.dataset.asked !== theme && document.querySelector(CHART)) {
    mark.dataset.asked = theme;
    setTriggerValue("theme", theme);
  }
}
