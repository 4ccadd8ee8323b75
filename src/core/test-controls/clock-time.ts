/**
 * The last time at which the clock of the test controls can stand, in milliseconds since 1970. Times are compared as text
 * of four-digit years; the century before these end is left for what is made then and expires later.
 */
export const latestClockTime = Date.UTC(9899, 11, 31, 23, 59, 59, 999);

/** A time of RFC 3339 at which that clock can stand, in milliseconds since 1970; undefined for any other text. */
export function clockTimeOf(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*$/.test(text) ? Date.parse(text) : Number.NaN;
  return time >= 0 && time <= latestClockTime ? time : undefined;
}
