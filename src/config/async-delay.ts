import type { Config } from "./settings.ts";

/** Milliseconds from the order of a certificate pack until its certificates are asked for. */
export function issuanceDelayMsOf({
  async_delay,
  issuance_delay_seconds,
}: Pick<Config, "async_delay" | "issuance_delay_seconds">): number {
  return Math.max(async_delay, issuance_delay_seconds) * 1_000;
}
