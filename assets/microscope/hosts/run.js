import { offer } from "./runs.js";

/**
 * Passes the data of each server run to the microscope beside it.
 *
 * A component of its own, and a small one: Streamlit sends a component's code again whenever its
 * data has changed, and the code of the microscope is larger than most scenes.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  return offer(parentElement, { data, setTriggerValue });
}
