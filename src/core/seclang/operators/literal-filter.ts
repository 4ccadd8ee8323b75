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

/** A place in the texts: what begins with the same octets shares it. */
interface Node {
  readonly octetClass: number;
  /** Of the nodes that go on from here the first one, and of those that go on from the same one the next. */
  child: Node | undefined;
  readonly sibling: Node | undefined;
  /** Where the longest end of what was read is the beginning of a text. */
  fallback: Node | undefined;
  /** Those of which a text ends here, also a shorter one. */
  groups: readonly number[];
  /** Where its transitions are in the table; 0 while nothing has come here. */
  row: number;
}

/** An entry of the table that is not known yet; any other is twice a row, and one more where a text ends. */
const unknown = 0;
const firstEntries = 4096;
/** Four octets each. */
const entriesMax = 1 << 20;

/**
 * Texts of many operators, searched in one pass over a value (Aho and Corasick, 1975), whatever the case of letters. A value
 * leads to few of the states, so that their transitions are found out when a value first takes them.
 */
export class LiteralFilter {
  readonly #classes: Uint8Array;
  readonly #stride: number;
  readonly #root = newNode(0, undefined);
  #table = new Int32Array(firstEntries);
  /** The nodes that have a row, in the order of their rows. */
  #nodes: Node[] = [];
  /** What is found in a value without any of the texts. */
  readonly none: GroupSet;

  /** `groups` are lists of texts in lower case. */
  constructor(groups: readonly (readonly string[])[]) {
    this.#classes = classesOf(groups);
    this.#stride = Math.max(...this.#classes) + 1;
    this.none = new Uint32Array((groups.length + 31) >>> 5);
    for (const [group, texts] of groups.entries()) for (const text of texts) this.#add(text, group);
    this.#link();
    this.#rowOf(this.#root);
  }

  /** The groups of which the value has a text. */
  scan(bytes: string): GroupSet {
    const classes = this.#classes;
    let found = this.none;
    let row = this.#root.row;
    for (let index = 0; index < bytes.length; index += 1) {
      const octetClass = classes[bytes.charCodeAt(index) & 0xff] ?? 0;
      let next = this.#table[row + octetClass] ?? unknown;
      if (next === unknown) next = this.#step(row, octetClass);
      row = next >> 1;
      if ((next & 1) === 0) continue;
      if (found === this.none) found = new Uint32Array(found.length);
      for (const group of this.#nodeOf(row).groups) {
        found[group >>> 5] = (found[group >>> 5] ?? 0) | (1 << (group & 31));
      }
    }
    return found;
  }

  #add(text: string, group: number): void {
    let node = this.#root;
    for (let index = 0; index < text.length; index += 1) {
      const octetClass = this.#classes[text.charCodeAt(index) & 0xff] ?? 0;
      node = childOf(node, octetClass) ?? (node.child = newNode(octetClass, node.child));
    }
    node.groups = [...node.groups, group];
  }

  /** Tells each node where to fall back to, and which texts end there too. */
  #link(): void {
    const nodes = [this.#root];
    // It grows while it is walked.
    for (const node of nodes) {
      for (let child = node.child; child !== undefined; child = child.sibling) {
        child.fallback =
          node.fallback === undefined ? this.#root : this.#next(node.fallback, child.octetClass);
        const { groups } = child.fallback;
        if (groups.length > 0) child.groups = [...new Set([...child.groups, ...groups])];
        nodes.push(child);
      }
    }
  }

  #next(from: Node, octetClass: number): Node {
    for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
      const child = childOf(node, octetClass);
      if (child !== undefined) return child;
    }
    return this.#root;
  }

  /** Completes one entry of the table. */
  #step(row: number, octetClass: number): number {
    const target = this.#next(this.#nodeOf(row), octetClass);
    const isFull = target.row === 0 && (this.#nodes.length + 2) * this.#stride > entriesMax;
    if (isFull) this.#forget();
    const entry = (this.#rowOf(target) << 1) | Number(target.groups.length > 0);
    if (!isFull) this.#table[row + octetClass] = entry;
    return entry;
  }

  #nodeOf(row: number): Node {
    return this.#nodes[row / this.#stride - 1] ?? this.#root;
  }

  #rowOf(node: Node): number {
    if (node.row > 0) return node.row;
    node.row = this.#nodes.push(node) * this.#stride;
    if (node.row + this.#stride > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    return node.row;
  }

  #forget(): void {
    for (const node of this.#nodes) node.row = 0;
    this.#nodes = [];
    this.#table = new Int32Array(firstEntries);
    this.#rowOf(this.#root);
  }
}

const noGroups: readonly number[] = [];

function newNode(octetClass: number, sibling: Node | undefined): Node {
  return { octetClass, child: undefined, sibling, fallback: undefined, groups: noGroups, row: 0 };
}

function childOf(node: Node, octetClass: number): Node | undefined {
  let { child } = node;
  while (child !== undefined && child.octetClass !== octetClass) child = child.sibling;
  return child;
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
