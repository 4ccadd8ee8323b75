import { Prefix } from "./prefix.ts";

export type GroupSet = Uint32Array;

export function hasGroup(groups: GroupSet, group: number): boolean {
  return ((groups[group >>> 5] ?? 0) & (1 << (group & 31))) !== 0;
}

/** The union of group sets that a filter found. */
export class GroupUnion {
  /** All groups that were added so far. */
  found: GroupSet;
  readonly #none: GroupSet;
  #last: GroupSet;
  #isOwn = false;

  constructor({ none }: LiteralFilter) {
    this.found = this.#none = this.#last = none;
  }

  add(set: GroupSet): void {
    if (set === this.#none || set === this.#last) return;
    this.#last = set;
    if (this.found === this.#none) {
      this.found = set;
      return;
    }
    if (!this.#isOwn) this.found = this.found.slice();
    this.#isOwn = true;
    addGroups(this.found, set);
  }
}

function addGroups(set: GroupSet, added: GroupSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) | (added[word] ?? 0);
}

/**
 * The mark of a table entry that is not computed yet. Any other is twice the row of the next state, plus one
 * if a text ends there.
 */
const unknown = 0;
const firstEntries = 4096;
const entriesMax = 1 << 20;

/**
 * Searches a value for the literals of many operators in one pass, ignoring letter case. A value reaches few
 * of the states, so transitions are computed when first taken.
 */
export class LiteralFilter {
  readonly #classes: Uint8Array;
  readonly #stride: number;
  readonly #empty: Prefix;
  #table = new Int32Array(firstEntries);
  /** The states that have a row in the table, in order; the first is the empty prefix. */
  #prefixes: Prefix[] = [];
  #rows = new Map<Prefix, number>();
  /** The result for a value without any of the texts. */
  readonly none: GroupSet;

  /** `groups` are lists of lower-case texts. */
  constructor(groups: readonly (readonly string[])[]) {
    this.#classes = classesOf(groups);
    this.#stride = Math.max(...this.#classes) + 1;
    this.none = new Uint32Array((groups.length + 31) >>> 5);
    const texts = groups.flatMap((group, index) => group.map((text) => ({ text, group: index })));
    this.#empty = new Prefix(this.#classes, texts);
    this.#addRow(this.#empty);
  }

  /** The groups at least one of whose texts occurs in the value. */
  scan(bytes: string): GroupSet {
    const classes = this.#classes;
    let found = this.none;
    // The row of the empty prefix.
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

/**
 * The class of each octet. Octets that stand in no text are one class; a capital letter is in that of the
 * small one.
 */
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

/** A group of literals in one of the filters of a rule set. */
export interface LiteralGroup {
  readonly group: number;
  readonly groups: LiteralGroups;
}

/** Collects the literals of operators while rules are compiled. */
export class LiteralGroups {
  readonly index: number;
  readonly #groups: (readonly string[])[] = [];
  #filter: LiteralFilter | undefined;

  constructor(index: number) {
    this.index = index;
  }

  /** Adds literals at least one of which an operator needs. */
  add(texts: readonly string[]): LiteralGroup {
    return { group: this.#groups.push(texts) - 1, groups: this };
  }

  get filter(): LiteralFilter {
    return (this.#filter ??= new LiteralFilter(this.#groups));
  }
}
