import { randomBytes } from "node:crypto";

/** Creates a generator of request ids for `cf-ray`: 16 hexadecimal digits and a place. */
export function rayGenerator(place: string): () => string {
  // A random start and an odd step: ids do not repeat, and those of two processes hardly ever meet.
  let next = randomBytes(8).readBigUInt64BE();
  return () => {
    next = BigInt.asUintN(64, next + 0x9e3779b97f4a7c15n);
    return `${next.toString(16).padStart(16, "0")}-${place}`;
  };
}
