import { setTimeout as delay } from "node:timers/promises";

import type { Config } from "../config/settings.ts";
import type { AsyncDelay } from "../operation/async-delay.ts";

/** A request waits for no longer, so that its client and its connection do. */
const secondsMax = 10;

/** Waits by the clock of the machine, also where tests have frozen the server's: who waits for the answer is outside. */
export function takeTimeOf({ async_delay }: Pick<Config, "async_delay">): AsyncDelay["takeTime"] {
  if (async_delay === 0) return () => Promise.resolve();
  const ms = Math.min(async_delay, secondsMax) * 1_000;
  return () => delay(ms, undefined, { ref: false });
}
