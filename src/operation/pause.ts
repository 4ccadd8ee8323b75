const sliceMsMax = 10;

/**
 * Creates a function to await in each round of a long loop: every ten milliseconds it yields to other work on
 * the event loop. Awaiting SQLite does not yield, as it answers synchronously.
 */
export function createPause(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMsMax) return;
    await new Promise(setImmediate);
    began = performance.now();
  };
}
