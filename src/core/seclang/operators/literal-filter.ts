/** Texts of many operators, searched in one pass over a value (Aho and Corasick, 1975), whatever the case of letters. */
export class LiteralFilter {
  readonly #classes: Uint8Array;
  readonly #classCount: number;
  /** The next state of each state, for each class of octets. */
  readonly #next: Int32Array;
  /** Of each state the groups of which a text ends there. */
  readonly #groups: readonly (readonly number[])[];

  /** `groups` are lists of texts in lower case; a group is known by its index. */
  constructor(groups: readonly (readonly string[])[]) {
    this.#classes = classesOf(groups.flat());
    this.#classCount = Math.max(...this.#classes) + 1;
    const trie = this.#buildTrie(groups);
    this.#groups = trie.groups;
    this.#next = this.#link(trie);
  }

  /** The groups of which the value has a text. */
  scan(bytes: string): ReadonlySet<number> {
    const found = new Set<number>();
    let state = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const octetClass = this.#classes[bytes.charCodeAt(index) & 0xff] ?? 0;
      state = this.#next[state * this.#classCount + octetClass] ?? 0;
      const groups = this.#groups[state];
      if (groups !== undefined) for (const group of groups) found.add(group);
    }
    return found;
  }

  #buildTrie(groups: readonly (readonly string[])[]): Trie {
    const trie: Trie = { next: [new Int32Array(this.#classCount)], groups: [[]] };
    for (const [group, texts] of groups.entries()) {
      for (const text of texts) {
        const state = this.#extend(trie, text);
        trie.groups[state]?.push(group);
      }
    }
    return trie;
  }

  #extend(trie: Trie, text: string): number {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const octetClass = this.#classes[text.charCodeAt(index)] ?? 0;
      const transitions = trie.next[state] ?? new Int32Array();
      let next = transitions[octetClass] ?? 0;
      if (next === 0) {
        next = trie.next.push(new Int32Array(this.#classCount)) - 1;
        trie.groups.push([]);
        transitions[octetClass] = next;
      }
      state = next;
    }
    return state;
  }

  /** Completes the transitions, state by state from the root on, and hands on the groups of the states to fall back to. */
  #link({ next, groups }: Trie): Int32Array {
    const table = new Int32Array(next.length * this.#classCount);
    const fallback = new Int32Array(next.length);
    const order = [0];
    for (const state of order) {
      for (let octetClass = 0; octetClass < this.#classCount; octetClass += 1) {
        const child = next[state]?.[octetClass] ?? 0;
        const below = (fallback[state] ?? 0) * this.#classCount + octetClass;
        const otherwise = state === 0 ? 0 : (table[below] ?? 0);
        table[state * this.#classCount + octetClass] = child === 0 ? otherwise : child;
        if (child === 0) continue;
        fallback[child] = otherwise;
        groups[child]?.push(...(groups[otherwise] ?? []));
        order.push(child);
      }
    }
    return table;
  }
}

interface Trie {
  readonly next: Int32Array[];
  readonly groups: number[][];
}

/** Octets that stand in no text are one class; a capital letter is in that of the small one. */
function classesOf(texts: readonly string[]): Uint8Array {
  const classes = new Uint8Array(256);
  let count = 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index += 1) {
      const octet = text.charCodeAt(index) & 0xff;
      if (classes[octet] === 0) classes[octet] = count += 1;
    }
  }
  for (let letter = 0x41; letter <= 0x5a; letter += 1) classes[letter] = classes[letter + 0x20] ?? 0;
  return classes;
}
