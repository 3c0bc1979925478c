import { within } from "../shared/dom.js";

const STATE = "data-test-connection-state";

/**
 * When the server was away, Streamlit connects again and runs nothing until the reader acts. A
 * server that was started anew would then take the link for a new one and drop what they did.
 * @param {ComponentArgs<null>} args
 */
export default function ({ setTriggerValue }) {
  const app = within(document, `[${STATE}]`);
  let was = app.getAttribute(STATE);
  const watch = new MutationObserver(() => {
    const now = app.getAttribute(STATE);
    if (now === "CONNECTED" && was !== now) setTriggerValue("again", Date.now());
    was = now;
  });
  watch.observe(app, { attributeFilter: [STATE] });
  return () => watch.disconnect();
}
