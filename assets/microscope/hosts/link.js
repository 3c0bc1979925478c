import { NAMES, selectionOf, writeAddress } from "./address.js";
import { debounced } from "./debounce.js";

/**
 * Keeps the selection of a microscope in the page's address, without asking the server.
 *
 * Gives `{ adopt(isNamed), stop() }`.
 * @param {Instance} instance
 */
export function linked({ store, go, on }) {
  const path = location.pathname,
    storageKey = `attention-microscope ${path}`;
  /** @type {string | null} */
  let stage = null,
    isLinked = hasSelection(location.search),
    /** @type {number | null} */
    left = null; // the moves at Back, until the server has answered

  function write() {
    if (store.playing || !store.isReady || location.pathname !== path || left === store.moves) return;
    const isStep = stage !== store.stage;
    stage = store.stage;
    sessionStorage.setItem(storageKey, writeAddress(store, isStep));
  }

  const { rest, stop } = debounced(write);
  const atRest = () => (store.moves || isLinked ? rest() : stop());
  const stops = [on("selection", atRest), on("play", atRest), on("machine", atRest)],
    wait = () => (left = store.moves);
  addEventListener("popstate", wait);
  return {
    /**
     * After the server has written its part. A reader whom no link leads is where they left, but not in
     * presentation mode, which hides the page that they have opened.
     * @param {boolean} isNamed @param {boolean} isChosen
     */
    adopt(isNamed, isChosen) {
      if (isChosen) left = null;
      isLinked ||= isChosen || hasSelection(location.search);
      const before = sessionStorage.getItem(storageKey);
      if (!isNamed && before) {
        isLinked = true;
        go({ ...selectionOf(new URLSearchParams(before), store), presenting: false });
      }
      stage ??= store.stage;
      atRest();
    },
    stop() {
      stop();
      removeEventListener("popstate", wait);
      stops.forEach((deaf) => deaf());
    },
  };
}

/** @param {string} search */
const hasSelection = (search) => NAMES.some((name) => new URLSearchParams(search).has(name));
