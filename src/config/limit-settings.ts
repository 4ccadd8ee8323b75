import { publicRateQuotas, type RateQuotas } from "./setting-forms.ts";
import { isLoopbackHost, type Config } from "./settings.ts";

const authFailuresMax = 30;

/** The numbers that `rate_limit` stands for; undefined for no limit. */
export function rateQuotasOf({
  rate_limit,
  host,
}: Pick<Config, "rate_limit" | "host">): RateQuotas | undefined {
  if (rate_limit !== "auto") return rate_limit === "off" ? undefined : rate_limit;
  return isLoopbackHost(host) ? undefined : publicRateQuotas;
}

/** The number that `connections_per_address_percent` stands for, which is never 0. */
export function connectionsPerAddressMaxOf({
  connections_max,
  connections_per_address_percent,
}: Pick<Config, "connections_max" | "connections_per_address_percent">): number {
  return Math.max(1, Math.floor((connections_max * connections_per_address_percent) / 100));
}

/** The number that `auth_failure_limit` stands for; undefined for no limit. */
export function authFailureLimitOf({
  auth_failure_limit,
  host,
}: Pick<Config, "auth_failure_limit" | "host">): number | undefined {
  if (auth_failure_limit !== "auto") return auth_failure_limit === "off" ? undefined : auth_failure_limit;
  return isLoopbackHost(host) ? undefined : authFailuresMax;
}

/**
 * The most wrong passwords per address and minute; undefined for no limit. Unlike tokens, passwords can be
 * guessed, so only `off` removes the limit.
 */
export function wrongPasswordLimitOf({
  auth_failure_limit,
}: Pick<Config, "auth_failure_limit">): number | undefined {
  if (auth_failure_limit === "off") return undefined;
  return auth_failure_limit === "auto" ? authFailuresMax : auth_failure_limit;
}
