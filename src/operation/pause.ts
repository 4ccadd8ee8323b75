const sliceMsMax = 10;

/**
 * Makes what a long loop calls in each round: it lets others have the event loop when this loop had it for ten
 * milliseconds. Waiting for SQLite does not, as it answers at once.
 */
export function createPause(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMsMax) return;
    await new Promise(setImmediate);
    began = performance.now();
  };
}
