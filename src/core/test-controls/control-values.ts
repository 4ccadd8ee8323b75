/**
 * The last time at which the clock of the test controls can stand, in milliseconds since 1970. Times are
 * compared as text of four-digit years; the century before year 9999 ends is left for resources that are made
 * then and expire later.
 */
export const latestClockTime = Date.UTC(9899, 11, 31, 23, 59, 59, 999);

/**
 * Parses a time of RFC 3339 at which the clock can stand, in milliseconds since 1970; undefined for any other
 * text.
 */
export function clockTimeOf(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*$/.test(text) ? Date.parse(text) : Number.NaN;
  return time >= 0 && time <= latestClockTime ? time : undefined;
}

/** The form of names of snapshots, which cannot change the path of a URL that contains them. */
export const snapshotNamePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;
