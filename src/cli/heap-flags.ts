import { setFlagsFromString } from "node:v8";

// Set by the running server: Node.js would refuse to start with a flag that it no longer knows.

/**
 * Creates no object as an old one. V8 does so where the objects of an expression have lived long, which those of a start or
 * of a burst of requests do; from then on, those of every request would have to be collected among the old ones
 * (docs/performance.md#memory).
 */
export function keepNewObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Collects old objects each time that they have grown by a fifth (docs/performance.md#memory). */
export function collectOldObjectsOften(): void {
  setFlagsFromString("--heap-growing-percent=20");
}
