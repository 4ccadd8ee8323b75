import { octet, twoOctets } from "../wire/octets.ts";
import type { RecordSet } from "../wire/record-data.ts";
import { typeCodes } from "../wire/codes.ts";
import { foldName, nameAt, nameToOctets } from "../wire/names.ts";
import type { Hash } from "./keys.ts";
import { orderKey } from "./canonical.ts";
import { SortedEntries } from "./sorted-entries.ts";

/** The types that a name has, as NSEC and NSEC3 records list them (RFC 4034 section 4.1.2). */
function typeBitmap(types: Iterable<number>): string {
  const windows = new Map<number, number[]>();
  for (const type of [...types].toSorted((one, other) => one - other)) {
    const octets = windows.get(type >>> 8) ?? [];
    windows.set(type >>> 8, octets);
    const low = type & 0xff;
    while (octets.length <= low >>> 3) octets.push(0);
    octets[low >>> 3] = (octets[low >>> 3] ?? 0) | (0x80 >>> (low & 7));
  }
  return Array.from(
    windows,
    ([window, octets]) => octet(window) + octet(octets.length) + String.fromCharCode(...octets),
  ).join("");
}

function typesIn(bitmap: string): number[] {
  const types: number[] = [];
  for (let at = 0; at < bitmap.length; at += 2 + bitmap.charCodeAt(at + 1)) {
    for (let bit = 0; bit < bitmap.charCodeAt(at + 1) * 8; bit += 1) {
      const isSet = (bitmap.charCodeAt(at + 2 + (bit >>> 3)) & (0x80 >>> (bit & 7))) !== 0;
      if (isSet) types.push(bitmap.charCodeAt(at) * 0x100 + bit);
    }
  }
  return types;
}

/** A name in the chain of NSEC or NSEC3 records. */
interface Link {
  readonly key: string;
  readonly name: string;
  /** The type bitmap of its record. */
  readonly bitmap: string;
}

/** Proves that names and types do not exist: with NSEC or NSEC3 records. */
export interface DenialMechanism {
  readonly type: number;
  readonly hasEmptyNames: boolean;
  /** The sort key of a name in the chain. */
  readonly keyOf: (name: string) => string;
  /** The owner name of the link's record. */
  readonly ownerOf: (link: Link) => string;
  /** The types in the bitmap of a name that has these types: those of delegations without glue. */
  readonly listed: (types: readonly number[]) => readonly number[];
  readonly data: (link: Link, next: Link) => string;
}

/** NSEC: names are not hashed (RFC 4034 section 4). */
export const nsec: DenialMechanism = {
  type: typeCodes.NSEC,
  hasEmptyNames: false,
  keyOf: orderKey,
  ownerOf: ({ name }) => name,
  listed: (types) => [...types, typeCodes.RRSIG, typeCodes.NSEC],
  data: ({ bitmap }, next) => nameToOctets(next.name) + bitmap,
};

export const sha1Algorithm = 1;

/** No further iterations and no salt (RFC 9276 section 3.1); no opt-out, so all names are in the chain. */
export const nsec3Parameters = octet(sha1Algorithm) + octet(0) + twoOctets(0) + octet(0);

/** NSEC3: names are hashed (RFC 5155). */
export function nsec3(zone: string, sha1: Hash): DenialMechanism {
  return {
    type: typeCodes.NSEC3,
    hasEmptyNames: true,
    keyOf: (name) => sha1(nameToOctets(foldName(name))),
    ownerOf: ({ key }) => `${base32hex(key)}.${zone}`,
    // An unsigned delegation has no signed set, so no RRSIG either.
    listed: (types) => (types.every((type) => type === typeCodes.NS) ? types : [...types, typeCodes.RRSIG]),
    data: ({ bitmap }, { key }) => nsec3Parameters + octet(key.length) + key + bitmap,
  };
}

const digits = "0123456789abcdefghijklmnopqrstuv";

/** The octets of a text of `base32hex`; undefined for another text. */
export function fromBase32hex(text: string): string | undefined {
  let octets = "";
  let [bits, count] = [0, 0];
  for (const digit of text) {
    const value = digits.indexOf(digit);
    if (value === -1) return undefined;
    bits = ((bits << 5) | value) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    octets += octet(bits >>> count);
  }
  return octets;
}

/** RFC 4648 section 7, in lower case; for a multiple of five octets. */
function base32hex(octets: string): string {
  let text = "";
  let [bits, count] = [0, 0];
  for (let at = 0; at < octets.length; at += 1) {
    bits = ((bits << 8) | octets.charCodeAt(at)) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += digits[(bits >>> (count - 5)) & 31];
  }
  return text;
}

/** A set of an NSEC or NSEC3 record as if its name did not have these types; any other set as it is. */
export function withoutTypes(set: RecordSet, absent: readonly number[]): RecordSet {
  const { type, rdatas } = set;
  if (type !== typeCodes.NSEC && type !== typeCodes.NSEC3) return set;
  return { ...set, rdatas: rdatas.map((rdata) => dataWithoutTypes(type, rdata, absent)) };
}

function dataWithoutTypes(type: number, rdata: string, absent: readonly number[]): string {
  const before =
    type === typeCodes.NSEC
      ? nameAt(rdata, 0).end
      : nsec3Parameters.length + 1 + rdata.charCodeAt(nsec3Parameters.length);
  const types = typesIn(rdata.slice(before)).filter((one) => !absent.includes(one));
  return rdata.slice(0, before) + typeBitmap(types);
}

/** The NSEC or NSEC3 chain of a zone: a ring of names in which each record points to the next name. */
export class DenialChain {
  readonly #mechanism: DenialMechanism;
  readonly #links = new SortedEntries<Link>();
  /** Keys of links whose records have changed. */
  readonly #changedKeys = new Set<string>();
  /** Owner names of records that are gone. */
  readonly #removed = new Set<string>();
  /** Shared by all names with the same types, as a zone has few different bitmaps. */
  readonly #bitmaps = new Map<string, string>();

  constructor(mechanism: DenialMechanism) {
    this.#mechanism = mechanism;
  }

  /** Sets the types of a name; undefined takes it out of the chain. */
  set(name: string, types: readonly number[] | undefined): void {
    const key = this.#mechanism.keyOf(name);
    const known = this.#links.at(key);
    if (types === undefined) {
      if (known === undefined) return;
      this.#links.delete(key);
      this.#changedKeys.delete(key);
      this.#removed.add(this.#mechanism.ownerOf(known));
      this.#changeBefore(key);
      return;
    }
    const link = { key, name, bitmap: this.#bitmapOf(this.#mechanism.listed(types)) };
    if (known?.bitmap === link.bitmap) return;
    this.#links.set(link);
    this.#changedKeys.add(key);
    if (known === undefined) this.#changeBefore(key);
  }

  /**
   * The changes since the last call: owner names with the data of their record, undefined for a removed one.
   */
  *changes(): Generator<readonly [owner: string, rdata: string | undefined], void, undefined> {
    const changed = new Map<string, string>();
    for (const key of this.#changedKeys) {
      const link = this.#links.at(key);
      const next = link && this.#links.next(key);
      if (next !== undefined)
        changed.set(this.#mechanism.ownerOf(link as Link), this.#mechanism.data(link as Link, next));
    }
    for (const owner of this.#removed) if (!changed.has(owner)) yield [owner, undefined];
    yield* changed;
    this.#changedKeys.clear();
    this.#removed.clear();
  }

  /**
   * The owner name of the record that matches a name (RFC 5155 section 1.3); undefined if it is not in the
   * chain.
   */
  ownerMatching(name: string): string | undefined {
    const link = this.#links.at(this.#mechanism.keyOf(name));
    return link && this.#mechanism.ownerOf(link);
  }

  /**
   * The owner name of the record that covers a name that is not in the chain: it proves that the name does
   * not exist.
   */
  ownerCovering(name: string): string | undefined {
    const link = this.#links.previous(this.#mechanism.keyOf(name));
    return link && this.#mechanism.ownerOf(link);
  }

  #changeBefore(key: string): void {
    const before = this.#links.previous(key);
    if (before !== undefined) this.#changedKeys.add(before.key);
  }

  #bitmapOf(types: readonly number[]): string {
    const key = types.join(" ");
    const known = this.#bitmaps.get(key);
    if (known !== undefined) return known;
    const bitmap = typeBitmap(types);
    this.#bitmaps.set(key, bitmap);
    return bitmap;
  }
}
