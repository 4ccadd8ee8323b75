import { randomBytes } from "node:crypto";

/** Creates a generator of request ids for `cf-ray`: 16 hexadecimal digits and a place. */
export function rayGenerator(place: string): () => string {
  const octets = randomBytes(8);
  // Two halves of 32 bits.
  let high = octets.readUInt32BE(0);
  let low = octets.readUInt32BE(4);
  // A random start and an odd step: ids do not repeat, and those of two processes hardly ever meet.
  return () => {
    low += 0x7f4a7c15;
    high = (high + 0x9e3779b9 + (low > 0xffff_ffff ? 1 : 0)) >>> 0;
    low >>>= 0;
    octets.writeUInt32BE(high, 0);
    octets.writeUInt32BE(low, 4);
    return `${octets.toString("hex")}-${place}`;
  };
}

/** A ray id without its location code. */
export const rayIdOf = (ray: string): string => ray.split("-", 1)[0] ?? "";

/** The location code of a ray id. */
export const locationOf = (ray: string): string => ray.split("-", 2)[1] ?? "";
