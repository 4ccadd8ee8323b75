/** Octets that are kept of a body; the rest is only counted. */
const octetsMax = 64 * 1024;

/** The beginning of a body, as it passes. */
export class Capture {
  /** Octets that passed. */
  length = 0;
  /** Octets that are kept. */
  kept = 0;
  readonly parts: (string | Uint8Array)[] = [];

  add(part: unknown): void {
    if (typeof part !== "string" && !(part instanceof Uint8Array)) return;
    const octets = typeof part === "string" ? Buffer.byteLength(part) : part.length;
    this.length += octets;
    const room = octetsMax - this.kept;
    if (room <= 0) return;
    this.parts.push(octets <= room ? part : Buffer.from(part as string).subarray(0, room));
    this.kept += Math.min(octets, room);
  }

  /** Lets go of what is kept. */
  clear(): void {
    this.parts.length = 0;
    this.kept = 0;
  }
}
