const sliceMsMax = 10;

/**
 * Creates a function for each round of a long loop: every ten milliseconds it gives way to other work on the event loop.
 * Waiting for SQLite does not, as it answers synchronously.
 */
export function createPause(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMsMax) return;
    await new Promise(setImmediate);
    began = performance.now();
  };
}
