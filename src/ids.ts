import { randomUUID } from "node:crypto";

/**
 * A fresh id: 32 hexadecimal characters, the first 12 the time in milliseconds, the others random. Ids that grow keep
 * the indexes that end in them compact, and what is equal in a list's ordering in the order in which it was made.
 */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return time + randomUUID().replaceAll("-", "").slice(12);
}

/** A UUID, version 7 (RFC 9562): its first 48 bits are the time in milliseconds. */
export function newUuidV7(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
