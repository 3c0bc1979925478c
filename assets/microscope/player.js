import { make } from "./dom.js";
import { SPEEDS } from "./play.js";
import { neighbours } from "./steps.js";
import { move, store, tell } from "./store.js";

// Back, play or pause, on; how fast; and the view for a lecture hall.
export function fillPlayer(element) {
  const { trace, stage, playing, speed, presenting } = store, words = trace.words.microscope, [before, after] = neighbours(stage);
  const faster = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  element.replaceChildren(
    button("‹", words.previous, "back", () => move({ stage: before }), !before),
    button(playing ? "❚❚" : "▶", playing ? words.pause : words.play, "play", () => store.toggle()),
    button("›", words.next, "forward", () => move({ stage: after }), !after),
    button(`${speed}×`, `${words.speed} ${speed}×`, "speed", () => {
      store.speed = faster;
      tell("play");
    }),
    button(presenting ? words.leave_presenter : words.presenter, words.keys, "presenter", () => store.present?.(!presenting)),
  );
}

function button(text, label, name, onclick, disabled = false) {
  const element = make("button", name, text);
  element.title = label;
  if (name !== "presenter") element.setAttribute("aria-label", label);
  element.disabled = disabled;
  element.onclick = onclick;
  return element;
}
