/** What is kept of a body: its first parts, and whether they are all of it. */
export interface Captured {
  readonly parts: readonly (string | Uint8Array)[];
  /** Characters of strings and octets of arrays, together. */
  readonly length: number;
  readonly isWhole: boolean;
}

export const nothing: Captured = { parts: [], length: 0, isWhole: true };

/** To count the octets of each string would cost as much as to write it down. */
const lengthMax = 64 * 1024;

/** The beginning of a body, as it passes. */
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

  /** Lets go of what is kept. */
  clear(): void {
    this.parts = [];
    this.length = 0;
  }
}
