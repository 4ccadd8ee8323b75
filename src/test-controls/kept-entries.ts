import { FairMap } from "../core/fair-map.ts";

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

export interface StoredEntry {
  readonly head: Buffer;
  readonly body: Buffer;
  readonly answer: Buffer;
}

/**
 * The newest entries, of which each owner has a share. The octets of an entry lie outside of the heap that V8
 * collects, in one piece: strings and objects that live as long as thousands of requests would make the
 * collections of all of these slower.
 */
export class KeptEntries {
  readonly #octetsMin: number;
  readonly #entries: FairMap<number, Packed>;
  #added = 0;
  #dropped = 0;

  /**
   * Keeps at most `entriesMax` entries, of `octetsMax` together: each counts as an equal part of the octets
   * at least.
   */
  constructor({ entriesMax, octetsMax }: { readonly entriesMax: number; readonly octetsMax: number }) {
    this.#octetsMin = Math.ceil(octetsMax / entriesMax);
    this.#entries = new FairMap({ weightMax: octetsMax, onDrop: () => (this.#dropped += 1) });
  }

  /** Numbers of the entries that are kept, the oldest first; they count from 0 and are never given twice. */
  get numbers(): readonly number[] {
    return Array.from(this.#entries, ([number]) => number);
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps an entry in place of older ones. Returns its number. */
  add(owner: string, head: string, body: Captured, answer: Captured): number {
    const number = this.#added;
    this.#added += 1;
    const packed = pack([head], body.parts, answer.parts);
    this.#entries.set(number, packed, [owner], Math.max(packed.octets.length, this.#octetsMin));
    return number;
  }

  /** The entry with a number; undefined where it is not kept. */
  get(number: number): StoredEntry | undefined {
    const packed = this.#entries.peek(number);
    if (packed === undefined) return undefined;
    const { octets, headEnd, bodyEnd } = packed;
    return {
      head: octets.subarray(0, headEnd),
      body: octets.subarray(headEnd, bodyEnd),
      answer: octets.subarray(bodyEnd),
    };
  }

  clear(): void {
    this.#entries.clear();
    this.#dropped = 0;
  }
}

interface Packed {
  readonly octets: Buffer;
  readonly headEnd: number;
  readonly bodyEnd: number;
}

type Parts = Captured["parts"];

function pack(head: Parts, body: Parts, answer: Parts): Packed {
  const headEnd = octetsOf(head);
  const bodyEnd = headEnd + octetsOf(body);
  // A slice of a pooled buffer would keep the whole pool.
  const octets = Buffer.allocUnsafeSlow(bodyEnd + octetsOf(answer));
  let end = 0;
  for (const part of [...head, ...body, ...answer]) {
    if (typeof part === "string") end += octets.write(part, end);
    else {
      octets.set(part, end);
      end += part.length;
    }
  }
  return { octets, headEnd, bodyEnd };
}

function octetsOf(parts: Parts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}
