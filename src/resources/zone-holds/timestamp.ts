import { toTimestamp, type Timestamp } from "../../storage/columns.ts";

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time as RFC 3339 writes it, to the millisecond; undefined for anything else. */
export function parseTimestamp(text: string): Timestamp | undefined {
  // A plus sign that was not escaped in a query comes as a space.
  const written = text.replace(" ", "+").toUpperCase();
  const date = new Date(rfc3339.test(written) ? written : Number.NaN);
  const isStorable = date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
  return isStorable ? toTimestamp(date) : undefined;
}
