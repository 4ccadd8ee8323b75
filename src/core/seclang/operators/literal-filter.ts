/** Groups of texts, each known by its index: bit `index % 32` of word `index / 32`. */
export type GroupSet = Uint32Array;

export function hasGroup(groups: GroupSet, group: number): boolean {
  return ((groups[group >>> 5] ?? 0) & (1 << (group & 31))) !== 0;
}

/** Adds groups to a set. */
export function addGroups(set: GroupSet, added: GroupSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) | (added[word] ?? 0);
}

const firstStates = 256;

/** Texts of many operators, searched in one pass over a value (Aho and Corasick, 1975), whatever the case of letters. */
export class LiteralFilter {
  readonly #classes: Uint8Array;
  readonly #stride: number;
  /** Of each state and class of octets the next state: twice the index of its row, and one more where a text ends. */
  #table: Int32Array;
  #stateCount = 1;
  /** Of each state the groups of which a text ends there. */
  readonly #groups: (number[] | undefined)[] = [];
  /** What is found in a value without any of the texts. */
  readonly none: GroupSet;

  /** `groups` are lists of texts in lower case. */
  constructor(groups: readonly (readonly string[])[]) {
    this.#classes = classesOf(groups);
    this.#stride = Math.max(...this.#classes) + 1;
    this.none = new Uint32Array((groups.length + 31) >>> 5);
    this.#table = new Int32Array(firstStates * this.#stride);
    for (const [group, texts] of groups.entries()) for (const text of texts) this.#add(text, group);
    this.#link();
  }

  /** The groups of which the value has a text. */
  scan(bytes: string): GroupSet {
    const table = this.#table;
    const classes = this.#classes;
    let found = this.none;
    let state = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const next = table[state + (classes[bytes.charCodeAt(index) & 0xff] ?? 0)] ?? 0;
      state = next >> 1;
      if ((next & 1) === 0) continue;
      if (found === this.none) found = new Uint32Array(found.length);
      for (const group of this.#groups[state / this.#stride] ?? []) {
        found[group >>> 5] = (found[group >>> 5] ?? 0) | (1 << (group & 31));
      }
    }
    return found;
  }

  #add(text: string, group: number): void {
    let row = 0;
    for (let index = 0; index < text.length; index += 1) {
      const at = row + (this.#classes[text.charCodeAt(index) & 0xff] ?? 0);
      if (this.#table[at] === 0) this.#table[at] = this.#addState();
      row = this.#table[at] ?? 0;
    }
    (this.#groups[row / this.#stride] ??= []).push(group);
  }

  #addState(): number {
    const row = this.#stateCount * this.#stride;
    this.#stateCount += 1;
    if (row + this.#stride > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    return row;
  }

  /** Completes the transitions, state by state from the root on, and hands on the groups of the states to fall back to. */
  #link(): void {
    const stride = this.#stride;
    const table = this.#table.slice(0, this.#stateCount * stride);
    const fallback = new Int32Array(this.#stateCount);
    const rows = [0];
    for (const row of rows) {
      const below = fallback[row / stride] ?? 0;
      for (let octetClass = 0; octetClass < stride; octetClass += 1) {
        const child = table[row + octetClass] ?? 0;
        const otherwise = row === 0 ? 0 : (table[below + octetClass] ?? 0);
        if (child === 0) {
          table[row + octetClass] = otherwise;
          continue;
        }
        fallback[child / stride] = otherwise;
        this.#inherit(child / stride, otherwise / stride);
        rows.push(child);
      }
    }
    this.#table = table.map((row) => (row << 1) | Number(this.#groups[row / stride] !== undefined));
  }

  #inherit(state: number, from: number): void {
    const inherited = this.#groups[from];
    if (inherited === undefined) return;
    this.#groups[state] = [...new Set([...(this.#groups[state] ?? []), ...inherited])];
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
