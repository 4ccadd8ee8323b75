import { setFlagsFromString } from "node:v8";

// The running server sets the flags, as Node.js would refuse to start with one that a later version no longer
// knows.

/**
 * Keeps V8 from creating objects as old ones. It does so where the objects of an expression have lived long,
 * as in a start or in a burst of requests; from then on, those of every request would have to be collected
 * among the old ones (docs/performance.md#memory).
 */
export function keepNewObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Collects old objects each time that they have grown by a fifth (docs/performance.md#memory). */
export function collectOldObjectsOften(): void {
  setFlagsFromString("--heap-growing-percent=20");
}
