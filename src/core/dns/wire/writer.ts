import { foldName, labelToOctets, nameAt, nameToOctets, parentOf } from "./names.ts";
import { compressibleNames } from "./rdata-layouts.ts";
import { WireError } from "./octets.ts";

const messageOctetsMax = 65_535;
/** The largest offset that the 14 bits of a compression pointer hold. */
const pointerTargetMax = 0x3fff;
const pointerBits = 0xc000;
const headerOctets = 12;

/** Sections of a message, by the offset of their counts in the header. */
export const sections = { question: 4, answer: 6, authority: 8, additional: 10 } as const;
export type Section = keyof typeof sections;

export interface WrittenRecord {
  readonly name: string;
  readonly type: number;
  /** 16 bits. */
  readonly class: number;
  /** 32 bits. */
  readonly ttl: number;
  /** Octets, with names uncompressed. */
  readonly rdata: string;
}

/** A place in a message to go back to. */
export interface Mark {
  readonly at: number;
  readonly answers: number;
  readonly authorities: number;
  readonly additionals: number;
}

const slabOctets = 65_536;

/** Writes messages one after another, reusing its buffer. Names are compressed where RFC 3597 allows it. */
export class WireWriter {
  readonly #bytes = new Uint8Array(messageOctetsMax);
  #at = 0;
  #sizeMax = messageOctetsMax;
  /** Offsets of the folded names that a pointer can refer to. */
  readonly #targets = new Map<string, number>();
  /**
   * The first name of the message, which most answers only repeat: it is added to `#targets` once another
   * name is written.
   */
  #firstName: string | undefined;
  #isFirstTarget = false;
  /** Finished messages are copied into this block of memory, which many share. */
  #slab = new Uint8Array(slabOctets);
  #slabUsed = 0;

  /** Begins a message of at most `sizeMax` octets. */
  begin(id: number, flags: number, sizeMax: number): void {
    this.#at = 0;
    this.#sizeMax = Math.min(sizeMax, messageOctetsMax);
    this.#targets.clear();
    this.#firstName = undefined;
    this.#isFirstTarget = false;
    this.#twoOctets(id);
    this.#twoOctets(flags);
    while (this.#at < headerOctets) this.#put(0);
  }

  /** Set late, as the response code or a flag may be known only at the end. */
  setFlags(flags: number): void {
    this.#putTwoOctets(2, flags);
  }

  /** Writes a question. Returns false, with nothing written, if it does not fit. */
  question(name: string, type: number, classCode: number): boolean {
    const start = this.#at;
    this.#name(name);
    this.#twoOctets(type);
    this.#twoOctets(classCode);
    return this.#keep(start, sections.question);
  }

  /**
   * Writes a record. Returns false, with nothing written, if it does not fit. Throws a WireError for an
   * invalid name.
   */
  record(
    section: Exclude<Section, "question">,
    { name, type, class: classCode, ttl, rdata }: WrittenRecord,
  ): boolean {
    const start = this.#at;
    this.#name(name);
    this.#twoOctets(type);
    this.#twoOctets(classCode);
    this.#twoOctets(ttl >>> 16);
    this.#twoOctets(ttl);
    const lengthAt = this.#at;
    this.#twoOctets(0);
    this.#rdata(type, rdata);
    const length = this.#at - lengthAt - 2;
    if (length > 0xffff) throw new WireError("the data of a record is too long");
    this.#putTwoOctets(lengthAt, length);
    return this.#keep(start, sections[section]);
  }

  /** The current end, for `goBack`. */
  mark(): Mark {
    return {
      at: this.#at,
      answers: this.#twoOctetsAt(sections.answer),
      authorities: this.#twoOctetsAt(sections.authority),
      additionals: this.#twoOctetsAt(sections.additional),
    };
  }

  /** Removes the records that were written since the mark. */
  goBack({ at, answers, authorities, additionals }: Mark): void {
    this.#takeBack(at);
    this.#putTwoOctets(sections.answer, answers);
    this.#putTwoOctets(sections.authority, authorities);
    this.#putTwoOctets(sections.additional, additionals);
  }

  /** Keeps `octets` free for what is written last; a negative number releases them. */
  reserve(octets: number): void {
    this.#sizeMax -= octets;
  }

  finish(): Uint8Array {
    if (this.#slabUsed + this.#at > slabOctets) {
      this.#slab = new Uint8Array(slabOctets);
      this.#slabUsed = 0;
    }
    const message = this.#slab.subarray(this.#slabUsed, this.#slabUsed + this.#at);
    message.set(this.#bytes.subarray(0, this.#at));
    this.#slabUsed += this.#at;
    return message;
  }

  /** Counts the record written since `start` if it fits, else removes it. */
  #keep(start: number, countAt: number): boolean {
    const count = this.#twoOctetsAt(countAt);
    if (this.#at > this.#sizeMax || count === 0xffff) {
      this.#takeBack(start);
      return false;
    }
    this.#putTwoOctets(countAt, count + 1);
    return true;
  }

  #takeBack(at: number): void {
    this.#at = at;
    for (const [name, target] of this.#targets) if (target >= at) this.#targets.delete(name);
    if (at <= headerOctets) this.#firstName = undefined;
  }

  /** Writes the labels that no earlier name ends with, then a pointer. */
  #name(name: string): void {
    if (name === ".") {
      this.#put(0);
      return;
    }
    if (this.#at === headerOctets) {
      this.#firstName = name;
      this.#isFirstTarget = false;
      const octets = nameToOctets(name);
      this.#octets(octets, 0, octets.length);
      return;
    }
    if (name === this.#firstName) {
      this.#twoOctets(pointerBits | headerOctets);
      return;
    }
    if (!this.#isFirstTarget) this.#makeFirstTarget();
    let rest: string | undefined = name;
    while (rest !== undefined) {
      const folded = foldName(rest);
      const target = this.#targets.get(folded);
      if (target !== undefined) {
        this.#twoOctets(pointerBits | target);
        return;
      }
      if (this.#at <= pointerTargetMax) this.#targets.set(folded, this.#at);
      const { label, parent } = splitName(rest);
      this.#put(label.length);
      this.#octets(label, 0, label.length);
      rest = parent;
    }
    this.#put(0);
  }

  #makeFirstTarget(): void {
    this.#isFirstTarget = true;
    let at = headerOctets;
    let rest = this.#firstName;
    while (rest !== undefined) {
      this.#targets.set(foldName(rest), at);
      const { label, parent } = splitName(rest);
      at += 1 + label.length;
      rest = parent;
    }
  }

  #rdata(type: number, rdata: string): void {
    const names = compressibleNames(type);
    let at = 0;
    if (names !== undefined && rdata.length > names.before) {
      this.#octets(rdata, 0, names.before);
      at = names.before;
      for (let count = 0; count < names.count; count += 1) {
        const { name, end } = nameAt(rdata, at);
        this.#name(name);
        at = end;
      }
    }
    this.#octets(rdata, at, rdata.length);
  }

  #octets(octets: string, from: number, to: number): void {
    const start = this.#at - from;
    for (let at = from; at < to; at += 1) this.#bytes[start + at] = octets.charCodeAt(at);
    this.#at = start + to;
  }

  #put(value: number): void {
    // Writes beyond the end are dropped: `#keep` removes the record that does not fit.
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  #twoOctets(value: number): void {
    this.#put(value >>> 8);
    this.#put(value);
  }

  #putTwoOctets(at: number, value: number): void {
    this.#bytes[at] = value >>> 8;
    this.#bytes[at + 1] = value;
  }

  #twoOctetsAt(at: number): number {
    return ((this.#bytes[at] as number) << 8) | (this.#bytes[at + 1] as number);
  }
}

/** The octets of the first label of a name, and the name behind it. */
function splitName(name: string): { readonly label: string; readonly parent: string | undefined } {
  const parent = parentOf(name);
  const label = parent === undefined ? name : name.slice(0, name.length - parent.length - 1);
  return { label: labelToOctets(label), parent };
}
