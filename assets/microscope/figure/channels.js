import { make } from "../../shared/dom.js";

/**
 * Buttons to choose the drawn channel of a stage with several.
 * @param {Store} store
 */
export function channelsOf(store) {
  const { trace, stage } = store,
    axis = trace.stage(stage).roles.indexOf("channel"),
    count = trace.size(stage, "channel");
  if (axis < 0 || count < 2 || store.drawnRoles(stage).includes("channel")) return [];
  const chosen = store.placeOf(stage, "channel");
  return [
    make("span", "", trace.words.channel),
    ...Array.from({ length: count }, (_, place) => {
      const button = make("button", "", trace.label(stage, axis, place));
      button.setAttribute("aria-pressed", String(place === chosen));
      button.onclick = () => store.move({ places: { channel: place } });
      return button;
    }),
  ];
}
