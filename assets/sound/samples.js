import { unpacked } from "../microscope/engine/blob.js";
import { connect } from "../microscope/hosts/connect.js";
import { effect } from "../shared/dom.js";

/**
 * Stores the samples and the spectrogram of a sound in the microscope's store, once per sound.
 * @param {ComponentArgs<Uint8Array<ArrayBuffer>>} args
 */
export default function ({ data, parentElement }) {
  return effect(parentElement, () => connect("main", (store) => bring(store, data)));
}

/** @param {Store} store @param {Uint8Array<ArrayBuffer>} data */
function bring(store, data) {
  const stop = () => {},
    id = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (store.sound?.id === id) return stop;
  const { arrays, ...sound } = unpacked(data),
    { samples, levels } = arrays;
  store.sound = {
    ...sound,
    samples: new Int16Array(samples.values.slice().buffer),
    levels: levels.values,
    bands: levels.shape[1],
    frames: levels.shape[0],
  };
  store.notify("sound");
  return stop;
}
