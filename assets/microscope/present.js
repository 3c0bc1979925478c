import { store, tell } from "./store.js";

// The lecture hall's view: the page hides what is not the step, and all that is left grows.
export function presenterOf(view) {
  store.present = (on) => {
    store.presenting = on;
    store.moves += 1;
    tell("place");
  };
  return () => {
    document.documentElement.toggleAttribute("data-presenting", store.presenting);
    view.root.classList.toggle("presenting", store.presenting);
  };
}
