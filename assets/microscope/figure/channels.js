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
  const chosen = store.positionOf(stage, "channel");
  return [
    make("span", "", trace.words.channel),
    ...Array.from({ length: count }, (_, position) => {
      const button = make("button", "", trace.label(stage, axis, position));
      button.setAttribute("aria-pressed", String(position === chosen));
      button.onclick = () => store.move({ positions: { channel: position } });
      return button;
    }),
  ];
}
