import { setFlagsFromString } from "node:v8";

import type { Logger } from "pino";

const failure = 1;
const shutdownMsMax = 10_000;
const endingSignals = ["SIGINT", "SIGTERM"] as const;
const repeatMs = 1_000;

/**
 * Ends the process where closing takes too long, or leaves something open that keeps the process alive. A
 * second signal ends it at once.
 */
export async function closeBySignal(
  signalled: Promise<NodeJS.Signals>,
  logger: Logger,
  close: () => Promise<void>,
): Promise<void> {
  const signal = await signalled;
  logger.info({ signal }, "finishing the requests in flight");
  setTimeout(() => endingSignals.forEach((one) => process.removeAllListeners(one)), repeatMs).unref();
  const deadline = setTimeout(() => process.exit(failure), shutdownMsMax);
  await close();
  deadline.unref();
}

/** Waits for the first signal. Another one soon after it is ignored, because npm repeats those of the terminal. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endingSignals) process.on(signal, resolve);
  });
}

// The running server sets the flags, as Node.js would refuse to start with one that a later version no longer
// knows.

/**
 * Keeps V8 from creating objects as old ones. It does so where the objects of an expression have lived long,
 * as in a start or in a burst of requests; from then on, those of every request would have to be collected
 * among the old ones (docs/performance.md#memory).
 */
export function keepNewObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Collects old objects each time that they have grown by a fifth (docs/performance.md#memory). */
export function collectOldObjectsOften(): void {
  setFlagsFromString("--heap-growing-percent=20");
}
