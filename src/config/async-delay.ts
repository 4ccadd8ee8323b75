import type { Config } from "./settings.ts";

/** Milliseconds between the order of a certificate pack and the request for its certificates. */
export function issuanceDelayMsOf({
  async_delay,
  issuance_delay_seconds,
}: Pick<Config, "async_delay" | "issuance_delay_seconds">): number {
  return Math.max(async_delay, issuance_delay_seconds) * 1_000;
}
