const minuteMs = 60_000;
const retryMsMax = 6 * 60 * minuteMs;

/** Failed attempts after which a first certificate is given up until it is requested again. */
export const firstAttemptsMax = 8;

/**
 * When to renew: two thirds into the lifetime, and up to a thirtieth of it later, so that certificates that were
 * issued together are not renewed together.
 */
export function renewalTime(issuedOn: Date, expiresOn: Date, id: string): Date {
  const lifetime = expiresOn.getTime() - issuedOn.getTime();
  return new Date(issuedOn.getTime() + lifetime * (2 / 3 + spread(id) / 30));
}

/** When to try again after `failures` attempts in a row: a minute, doubled each time, six hours at most. */
export function retryTime(now: Date, failures: number, id: string): Date {
  const wait = Math.min(minuteMs * 2 ** (failures - 1), retryMsMax);
  return new Date(now.getTime() + wait * (0.75 + spread(id) / 2));
}

/** From 0 to 1, always the same for one id: its end is random. */
function spread(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 2 ** 32;
}
