import type { BodyRing } from "./body-ring.ts";

/** Octets that are kept of a body; the rest is only counted. */
export const bodyOctetsMax = 64 * 1024;

/** The beginning of a body, as it passes. */
export class Capture {
  /** Octets that passed. */
  length = 0;
  /** Octets that are kept. */
  kept = 0;
  #parts: (string | Uint8Array)[] = [];
  #readStored: (() => string) | undefined;

  /** Whether all of it is kept. */
  get isWhole(): boolean {
    return this.kept === this.length;
  }

  add(part: unknown): void {
    if (typeof part !== "string" && !(part instanceof Uint8Array)) return;
    const octets = typeof part === "string" ? Buffer.byteLength(part) : part.length;
    this.length += octets;
    const room = bodyOctetsMax - this.kept;
    if (room <= 0) return;
    const kept = octets <= room ? part : Buffer.from(part as string).subarray(0, room);
    this.#parts.push(kept);
    this.kept += Math.min(octets, room);
  }

  /** Moves what is kept into a ring, when all of it has passed. */
  storeIn(ring: BodyRing): void {
    if (this.#parts.length === 0) return;
    const place = ring.keep(this.#parts);
    this.#readStored = () => ring.text(place);
    this.#parts = [];
  }

  text(): string {
    return (
      this.#readStored?.() ?? Buffer.concat(this.#parts.map((part) => Buffer.from(part as string))).toString()
    );
  }
}
