const minuteMs = 60_000;
const retryMsMax = 6 * 60 * minuteMs;

/** Number of failures after which a first certificate is given up until it is requested again. */
export const firstAttemptsMax = 8;

/** Two thirds into the lifetime, plus up to a thirtieth to spread renewals. */
export function renewalTime(issuedOn: Date, expiresOn: Date, id: string): Date {
  const lifetime = expiresOn.getTime() - issuedOn.getTime();
  return new Date(issuedOn.getTime() + lifetime * (2 / 3 + spread(id) / 30));
}

/** A minute after the first failure, doubled each time up to six hours. */
export function retryTime(now: Date, failures: number, id: string): Date {
  const wait = Math.min(minuteMs * 2 ** (failures - 1), retryMsMax);
  return new Date(now.getTime() + wait * (0.75 + spread(id) / 2));
}

/** From 0 to 1, constant per id, whose end is random. */
function spread(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 2 ** 32;
}
