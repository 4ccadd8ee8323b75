import { randomUUID } from "node:crypto";

const countMax = 0xf_ff;

/**
 * A new id: 32 hexadecimal characters, the first 12 the time in milliseconds, the others random. Growing ids keep the
 * indexes that end in them compact, and keep rows that compare equal in the order of their creation.
 */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return time + randomUUID().replaceAll("-", "").slice(12);
}

/**
 * Makes UUIDs, version 7 (RFC 9562): the first 48 bits are the time in milliseconds, the next ones count within it
 * (its section 6.2, method 1), so that each is greater than the one before, whatever the clock does.
 */
export function uuidV7Generator(): (now: Date) => string {
  let milliseconds = 0;
  let count = 0;
  return (now) => {
    count += 1;
    if (now.getTime() > milliseconds || count > countMax) {
      milliseconds = Math.max(now.getTime(), milliseconds + 1);
      count = 0;
    }
    const time = milliseconds.toString(16).padStart(12, "0");
    const rest = randomUUID().slice(18);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}${rest}`;
  };
}
