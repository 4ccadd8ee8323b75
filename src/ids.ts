import { randomUUID } from "node:crypto";

/**
 * A fresh id: 32 hexadecimal characters, the first 12 the time in milliseconds, the others random. Ids that grow keep
 * the indexes that end in them compact, and what is equal in a list's ordering in the order in which it was made.
 */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return time + randomUUID().replaceAll("-", "").slice(12);
}
