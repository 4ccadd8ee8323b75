import { setTimeout as delay } from "node:timers/promises";

import type { Config } from "../config/settings.ts";
import type { AsyncDelay } from "../operation/context.ts";

/** Bounds the wait, so that clients and proxies do not time out. */
const secondsMax = 10;

/**
 * Waits by the clock of the machine even if tests have frozen the server's, as a client waits in real time.
 */
export function takeTimeOf({ async_delay }: Pick<Config, "async_delay">): AsyncDelay["takeTime"] {
  if (async_delay === 0) return () => Promise.resolve();
  const ms = Math.min(async_delay, secondsMax) * 1_000;
  return () => delay(ms, undefined, { ref: false });
}
