import { offer } from "./runs.js";

/**
 * Passes the weights to the microscope beside it.
 *
 * Apart from what each run sends: another input leaves them as they are, and Streamlit sends nothing again that is the
 * same as before.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement, setTriggerValue }) {
  return offer(parentElement, { data, setTriggerValue }, "weights");
}
