import { isHere } from "./steps.js";
import { adopt, listen, store } from "./store.js";

const REST = 300; // ms without a move, after which the server is told

// Tells the browser what the server chose, and the server what the reader has come to rest at.
export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement;
  host.stop?.();
  const say = () => {
    if (store.moves <= data.moves || (store.playing && isHere())) return;
    const { stage, head, places, locked, presenting, moves } = store;
    setTriggerValue("rest", { stage, head, places, locked, presenting, moves });
  };
  let timer = 0;
  const sayAtRest = () => {
    clearTimeout(timer);
    timer = setTimeout(say, isHere() ? REST : 0);
  };
  const stop = listen((what) => (what === "place" || what === "play") && sayAtRest());
  host.stop = () => {
    clearTimeout(timer);
    stop();
  };
  adopt(data);
  sayAtRest(); // a move made while the server answered the one before
  return () => host.stop();
}
