/** What is kept of a body; the rest is only counted. */
const keptMax = 64 * 1024;

/** The beginning of a body, as it passes. */
export class Capture {
  /** Octets, or characters of what was written as text. */
  length = 0;
  #kept = 0;
  readonly #parts: (string | Uint8Array)[] = [];

  /** Whether all of it is kept. */
  get isWhole(): boolean {
    return this.#kept === this.length;
  }

  /** How much is kept. */
  get kept(): number {
    return this.#kept;
  }

  add(part: unknown): void {
    if (typeof part !== "string" && !(part instanceof Uint8Array)) return;
    this.length += part.length;
    const room = keptMax - this.#kept;
    if (room <= 0) return;
    const kept = part.length <= room ? part : part.slice(0, room);
    this.#parts.push(kept);
    this.#kept += kept.length;
  }

  text(): string {
    const [only] = this.#parts;
    if (this.#parts.length === 1 && typeof only === "string") return only;
    return Buffer.concat(this.#parts.map((part) => Buffer.from(part as string))).toString();
  }
}
