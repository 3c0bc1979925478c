import { pressOf } from "./press.js";

// Hears the keys that are pressed before presenter view is there, which then takes them (wall.js). No component is
// there as early: on a cold server seconds pass from the first control on the page to the first component.
if (!document.earlyKeys) {
  /** @type {Press[]} */
  const pressed = [];
  /** @param {KeyboardEvent} event */
  const note = (event) => {
    const press = pressOf(event);
    if (press) pressed.push(press);
  };
  addEventListener("keydown", note, true);
  document.earlyKeys = { pressed, stop: () => removeEventListener("keydown", note, true) };
}
