/**
 * Tells presenter view the settings of the page's control, which the page knows only at its end.
 * @param {ComponentArgs<Settings>} args
 */
export default function ({ data }) {
  document.controlSettings = data;
  document.dispatchEvent(new Event("settings"));
}
