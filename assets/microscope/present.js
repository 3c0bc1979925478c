import { store, tell } from "./store.js";

// The lecture hall's view: the page hides what is not the step, and all that is left grows.
export function presenterOf(view) {
  store.present = (on) => {
    store.presenting = on;
    store.moves += 1;
    tell("place");
  };
  // What stands around the microscope follows by its style sheet.
  return () => {
    const marks = { presenting: store.presenting, hiding: store.hiding, pointing: Boolean(store.hover) };
    for (const [name, is] of Object.entries(marks)) document.documentElement.toggleAttribute(`data-${name}`, is);
    view.root.classList.toggle("presenting", store.presenting);
  };
}
