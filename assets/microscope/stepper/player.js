import { label, make, setText } from "../../shared/dom.js";
import { SPEEDS } from "./play.js";

/**
 * Back, play or pause, on; how fast; and the view for a lecture hall.
 * @param {Store} store @param {Player} player
 */
export function playerButtons(store, player) {
  const element = make("div", "player");
  /** @param {string} name @param {() => void} onclick */
  const button = (name, onclick) => element.appendChild(make("button", name, "", { onclick }));
  const back = button("back", () => store.step(0)),
    play = button("play", player.toggle),
    forward = button("forward", () => store.step(1)),
    speed = button("speed", () => {
      store.speed = SPEEDS[(SPEEDS.indexOf(store.speed) + 1) % SPEEDS.length];
      store.notify("play");
    }),
    presenter = button("presenter", () => store.present(true));

  function changed() {
    const { playing, neighbours } = store,
      words = store.trace.words.microscope;
    [back.disabled, forward.disabled] = neighbours.map((stage) => !stage);
    label(back, "‹", words.previous);
    label(play, playing ? "❚❚" : "▶", playing ? words.pause : words.play);
    label(forward, "›", words.next);
    label(speed, `${store.speed}×`, `${words.speed} ${store.speed}×`);
    setText(presenter, words.presenter);
    presenter.title = words.shortcuts;
  }

  return { element, changed };
}
