const FOUND = "microscope:find",
  MOUNTED = "microscope:mounted",
  REMOVED = "microscope:removed",
  TOUCHED = "microscope:touched";

/**
 * Connects another component to the microscope of this name, now or when it is created.
 *
 * follow: called with its store, returns a cleanup, for when the microscope goes. Returns a function that disconnects.
 * @param {string} name @param {(store: Store) => () => void} follow
 */
export function connect(name, follow) {
  let stop = () => {},
    /** @type {Instance | null} */
    followed = null;
  /** @param {Instance} instance */
  const isMeant = (instance) => {
    if (instance.name !== name) return;
    stop();
    followed = instance;
    stop = follow(instance.store);
  };
  document.dispatchEvent(new CustomEvent(FOUND, { detail: isMeant }));
  const stops = [
    listening(MOUNTED, ({ detail }) => isMeant(detail)),
    listening(REMOVED, ({ detail }) => {
      if (detail !== followed) return;
      stop();
      stop = () => {};
    }),
  ];
  return () => {
    stop();
    stops.forEach((deaf) => deaf());
  };
}

/**
 * Connects a view to the page's microscope: sets its store, and calls `changed` then and at each change of these kinds.
 * @param {{ store: Store | null }} view @param {() => void} changed @param {What[]} [kinds]
 */
export function followStore(view, changed, kinds) {
  return connect("main", (store) => {
    view.store = store;
    changed();
    const deaf = store.listen((what) => (!kinds || kinds.includes(what)) && changed());
    return () => {
      view.store = null;
      deaf();
    };
  });
}

/**
 * Registers a microscope; keyboard shortcuts go to the one that was used last.
 * @param {Instance} instance
 */
export function announce(instance) {
  let active = false;
  const touched = () => active || document.dispatchEvent(new CustomEvent(TOUCHED, { detail: instance }));
  const stops = [
    listening(FOUND, ({ detail }) => detail(instance)),
    listening(TOUCHED, ({ detail }) => (active = detail === instance)),
  ];
  for (const event of ["pointerdown", "focusin"]) instance.element.addEventListener(event, touched);
  if (!anyOther(instance)) touched();
  document.dispatchEvent(new CustomEvent(MOUNTED, { detail: instance }));
  const withdraw = () => {
    stops.forEach((stop) => stop());
    document.dispatchEvent(new CustomEvent(REMOVED, { detail: instance }));
    if (active) anyOther(instance)?.element.dispatchEvent(new Event("focusin"));
  };
  return { isActive: () => active, withdraw };
}

/**
 * @param {Instance} instance
 * @returns {Instance | null}
 */
function anyOther(instance) {
  /** @type {Instance | null} */
  let other = null;
  /** @param {Instance} one */
  const take = (one) => one !== instance && (other ??= one);
  document.dispatchEvent(new CustomEvent(FOUND, { detail: take }));
  return other;
}

/**
 * @template {keyof DocumentEventMap} Name
 * @param {Name} event @param {(event: DocumentEventMap[Name]) => void} listener
 */
function listening(event, listener) {
  document.addEventListener(event, listener);
  return () => document.removeEventListener(event, listener);
}
