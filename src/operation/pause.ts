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

/**
 * Runs `work` for each item, for up to `atOnce` of them at the same time, and yields to other work on the
 * event loop. After a failure no other item begins. Throws the first failure, once all that began have ended.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workOn = async (): Promise<void> => {
    const pause = createPause();
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => void failures.push(error));
      await pause();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
  if (failures.length > 0) throw failures[0];
}
