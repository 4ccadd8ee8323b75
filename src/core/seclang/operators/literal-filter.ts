import { Prefix } from "./prefix.ts";

/** Groups of texts, each known by its index: bit `index % 32` of word `index / 32`. */
export type GroupSet = Uint32Array;

export function hasGroup(groups: GroupSet, group: number): boolean {
  return ((groups[group >>> 5] ?? 0) & (1 << (group & 31))) !== 0;
}

/** The groups of all sets that a filter found. */
export function unionOf(sets: readonly GroupSet[], { none }: LiteralFilter): GroupSet {
  let union = none;
  let last = none;
  let isOwn = false;
  for (const set of sets) {
    if (set === none || set === last) continue;
    last = set;
    if (union === none) union = set;
    else {
      if (!isOwn) union = union.slice();
      isOwn = true;
      addGroups(union, set);
    }
  }
  return union;
}

function addGroups(set: GroupSet, added: GroupSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) | (added[word] ?? 0);
}

/** An entry of the table that is not known yet; any other is twice a row, and one more where a text ends. */
const unknown = 0;
const firstEntries = 4096;
/** Four octets each. */
const entriesMax = 1 << 20;

/**
 * Texts of many operators, searched in one pass over a value, whatever the case of letters. A value leads to few of the
 * states, so that their transitions are found out when a value first takes them.
 */
export class LiteralFilter {
  readonly #classes: Uint8Array;
  readonly #stride: number;
  readonly #empty: Prefix;
  #table = new Int32Array(firstEntries);
  /** Those that have a row in the table, in its order; the first one is empty. */
  #prefixes: Prefix[] = [];
  #rows = new Map<Prefix, number>();
  /** What is found in a value without any of the texts. */
  readonly none: GroupSet;

  /** `groups` are lists of texts in lower case. */
  constructor(groups: readonly (readonly string[])[]) {
    this.#classes = classesOf(groups);
    this.#stride = Math.max(...this.#classes) + 1;
    this.none = new Uint32Array((groups.length + 31) >>> 5);
    const texts = groups.flatMap((group, index) => group.map((text) => ({ text, group: index })));
    this.#empty = new Prefix(this.#classes, texts);
    this.#addRow(this.#empty);
  }

  /** The groups of which the value has a text. */
  scan(bytes: string): GroupSet {
    const classes = this.#classes;
    let found = this.none;
    // That of the empty prefix.
    let row = this.#stride;
    for (let index = 0; index < bytes.length; index += 1) {
      const octetClass = classes[bytes.charCodeAt(index) & 0xff] ?? 0;
      let next = this.#table[row + octetClass] ?? unknown;
      if (next === unknown) next = this.#step(row, octetClass);
      row = next >> 1;
      if ((next & 1) === 0) continue;
      if (found === this.none) found = new Uint32Array(found.length);
      for (const group of this.#prefixOf(row).groups) {
        found[group >>> 5] = (found[group >>> 5] ?? 0) | (1 << (group & 31));
      }
    }
    return found;
  }

  /** Completes one entry of the table. */
  #step(row: number, octetClass: number): number {
    const target = this.#prefixOf(row).next(octetClass);
    const known = this.#rows.get(target);
    const isFull = known === undefined && (this.#prefixes.length + 2) * this.#stride > entriesMax;
    if (isFull) this.#forget();
    const entry = ((known ?? this.#addRow(target)) << 1) | Number(target.groups.length > 0);
    if (!isFull) this.#table[row + octetClass] = entry;
    return entry;
  }

  #prefixOf(row: number): Prefix {
    return this.#prefixes[row / this.#stride - 1] ?? this.#empty;
  }

  #addRow(prefix: Prefix): number {
    const row = this.#prefixes.push(prefix) * this.#stride;
    this.#rows.set(prefix, row);
    if (row + this.#stride > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    return row;
  }

  #forget(): void {
    this.#prefixes = [];
    this.#rows = new Map();
    this.#table = new Int32Array(firstEntries);
    this.#addRow(this.#empty);
  }
}

/** Octets that stand in no text are one class; a capital letter is in that of the small one. */
function classesOf(groups: readonly (readonly string[])[]): Uint8Array {
  const classes = new Uint8Array(256);
  let count = 0;
  for (const texts of groups) {
    for (const text of texts) {
      for (let index = 0; index < text.length; index += 1) {
        const octet = text.charCodeAt(index) & 0xff;
        if (classes[octet] === 0) classes[octet] = count += 1;
      }
    }
  }
  for (let letter = 0x41; letter <= 0x5a; letter += 1) classes[letter] = classes[letter + 0x20] ?? 0;
  return classes;
}
