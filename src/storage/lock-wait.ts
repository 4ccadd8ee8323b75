import { setTimeout as delay } from "node:timers/promises";

import { isBusy } from "./errors.ts";

const stepMs = 5;

/**
 * Repeats `work`, for `msMax` at most, while another connection holds a lock that it needs. It must be harmless to
 * repeat. Unlike SQLite's own busy timeout this does not block the event loop.
 */
export async function untilUnlocked<T>(msMax: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + msMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(stepMs);
    }
  }
}
