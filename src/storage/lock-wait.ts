import { setTimeout as delay } from "node:timers/promises";

import { isBusy } from "./errors.ts";

const stepMs = 5;

/**
 * Runs `work` again while another connection holds a lock that it needs, for `msMax` at most. It must be
 * harmless to repeat. Nothing is blocked meanwhile, unlike with SQLite's own busy timeout.
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
