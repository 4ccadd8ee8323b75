import { randomFillSync } from "node:crypto";

const idOctets = 8;
/** Ids that one call for random octets is enough for. */
const idsAtOnce = 256;

/** Creates a generator of request ids for `cf-ray`: 16 hexadecimal digits at random and a place. */
export function rayGenerator(place: string): () => string {
  const octets = Buffer.alloc(idOctets * idsAtOnce);
  let at = octets.length;
  return () => {
    if (at === octets.length) {
      randomFillSync(octets);
      at = 0;
    }
    const id = octets.toString("hex", at, at + idOctets);
    at += idOctets;
    return `${id}-${place}`;
  };
}

/** A ray id without its location code. */
export const rayIdOf = (ray: string): string => ray.split("-", 1)[0] ?? "";

/** The location code of a ray id. */
export const locationOf = (ray: string): string => ray.split("-", 2)[1] ?? "";
