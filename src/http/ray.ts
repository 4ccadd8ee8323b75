import { randomBytes } from "node:crypto";

/** Makes request ids: the sixteen hexadecimal digits and the place of a `cf-ray` header. */
export function rayGenerator(place: string): () => string {
  // A random start and a step that is odd: no id comes twice, and two processes do not meet.
  let next = randomBytes(8).readBigUInt64BE();
  return () => {
    next = BigInt.asUintN(64, next + 0x9e3779b97f4a7c15n);
    return `${next.toString(16).padStart(16, "0")}-${place}`;
  };
}
