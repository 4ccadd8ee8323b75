/** The kept part of a body: its beginning, and whether that is all of it. */
export interface Captured {
  readonly parts: readonly (string | Uint8Array)[];
  /** Characters of strings plus octets of arrays. */
  readonly length: number;
  readonly isWhole: boolean;
}

export const nothing: Captured = { parts: [], length: 0, isWhole: true };

/**
 * The bound of a captured body in characters or octets. Counting the octets of each string would cost as much
 * as writing it.
 */
const lengthMax = 64 * 1024;

/** Keeps the beginning of a body that passes. */
export class Capture implements Captured {
  length = 0;
  isWhole = true;
  parts: (string | Uint8Array)[] = [];

  add(part: unknown): void {
    if (typeof part !== "string" && !(part instanceof Uint8Array)) return;
    const room = lengthMax - this.length;
    if (part.length <= room) {
      this.parts.push(part);
      this.length += part.length;
      return;
    }
    this.isWhole = false;
    if (room === 0) return;
    this.parts.push(typeof part === "string" ? part.slice(0, room) : part.subarray(0, room));
    this.length = lengthMax;
  }

  clear(): void {
    this.parts = [];
    this.length = 0;
  }
}
