const REST = 200; // ms without a move, after which the action runs

/**
 * Debounces: runs `act` once there has been no call of `rest` for a while.
 * @param {() => void} act
 */
export function debounced(act) {
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  return {
    stop,
    isAwaited: () => timer > 0,
    rest(ms = REST) {
      stop();
      timer = setTimeout(() => {
        timer = 0;
        act();
      }, ms);
    },
  };
}
