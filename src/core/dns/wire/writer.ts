import { foldName, nameAt, nameToOctets, parentOf } from "./names.ts";
import { compressibleNames } from "./rdata-layouts.ts";
import { WireError } from "./wire-error.ts";

const messageOctetsMax = 65_535;
/** What 14 bits can point to. */
const pointerTargetMax = 0x3fff;
const pointerBits = 0xc000;
const headerOctets = 12;

/** Sections of a message, by the place of their counts in the header. */
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
  readonly counts: readonly number[];
}

/** Writes one message after another into a buffer of its own. Names are compressed where RFC 3597 allows it. */
export class WireWriter {
  readonly #bytes = new Uint8Array(messageOctetsMax);
  #at = 0;
  #sizeMax = messageOctetsMax;
  /** Where names that can be pointed to begin, folded. */
  readonly #targets = new Map<string, number>();

  /** Begins a message of at most `sizeMax` octets. */
  begin(id: number, flags: number, sizeMax: number): void {
    this.#at = 0;
    this.#sizeMax = Math.min(sizeMax, messageOctetsMax);
    this.#targets.clear();
    this.#bytes.fill(0, 0, headerOctets);
    this.#twoOctets(id);
    this.#twoOctets(flags);
    this.#at = headerOctets;
  }

  /** The response code or a flag may turn out last. */
  setFlags(flags: number): void {
    this.#putTwoOctets(2, flags);
  }

  /** False, with nothing written, if it does not fit. */
  question(name: string, type: number, classCode: number): boolean {
    return this.#whole("question", () => {
      this.#name(name);
      this.#twoOctets(type);
      this.#twoOctets(classCode);
    });
  }

  /** False, with nothing written, if it does not fit. Throws a WireError for a name that is none. */
  record(
    section: Exclude<Section, "question">,
    { name, type, class: classCode, ttl, rdata }: WrittenRecord,
  ): boolean {
    return this.#whole(section, () => {
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
    });
  }

  mark(): Mark {
    return { at: this.#at, counts: Object.values(sections).map((at) => this.#twoOctetsAt(at)) };
  }

  /** Takes back what was written since. */
  goBack({ at, counts }: Mark): void {
    this.#at = at;
    for (const [index, place] of Object.values(sections).entries())
      this.#putTwoOctets(place, counts[index] ?? 0);
    for (const [name, target] of this.#targets) if (target >= at) this.#targets.delete(name);
  }

  /** Keeps `octets` free for what is written last. Negative numbers free them again. */
  reserve(octets: number): void {
    this.#sizeMax -= octets;
  }

  /** A copy of the message. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #whole(section: Section, write: () => void): boolean {
    const start = this.#at;
    const count = this.#twoOctetsAt(sections[section]);
    write();
    if (this.#at <= this.#sizeMax && count < 0xffff) {
      this.#putTwoOctets(sections[section], count + 1);
      return true;
    }
    this.#at = start;
    for (const [name, target] of this.#targets) if (target >= start) this.#targets.delete(name);
    return false;
  }

  /** Writes what has not been written before, then a pointer. */
  #name(name: string): void {
    let rest: string | undefined = name === "." ? undefined : name;
    while (rest !== undefined) {
      const folded = foldName(rest);
      const target = this.#targets.get(folded);
      if (target !== undefined) {
        this.#twoOctets(pointerBits | target);
        return;
      }
      if (this.#at <= pointerTargetMax) this.#targets.set(folded, this.#at);
      const parent = parentOf(rest);
      const label = parent === undefined ? rest : rest.slice(0, rest.length - parent.length - 1);
      this.#label(label);
      rest = parent;
    }
    this.#put(0);
  }

  #label(label: string): void {
    const octets = nameToOctets(label);
    this.#octets(octets, 0, octets.length - 1);
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
    for (let at = from; at < to; at += 1) this.#put(octets.charCodeAt(at));
  }

  #put(value: number): void {
    // Beyond the end nothing is kept: what does not fit is taken back.
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
