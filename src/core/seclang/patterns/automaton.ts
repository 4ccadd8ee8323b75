import { isWordOctet, octetCount } from "./octets.ts";
import { assertionKinds, code, type Program } from "./program.ts";

/** The kinds of the octet next to a position, as assertions need them. */
const edge = 0;
const word = 1;
const other = 2;

/** Special entries of the transition table; larger numbers are states. */
const unknown = 0;
const isMatched = -1;
const isDead = -2;

/** Limits of one pattern's tables: transitions, and instructions in all states. */
const transitionsMax = 32_768;
const leavesMax = 32_768;
const firstTransitions = 512;

/**
 * Tells whether a pattern matches anywhere in a text, in linear time: a lazy DFA. A state is the set of
 * instructions that the pattern may be at. States are built when first reached, and all are discarded when
 * they exceed a limit.
 */
export class Automaton {
  readonly #program: Program;
  /** Classes of octets that the program does not tell apart; the last class is the end of the text. */
  readonly #classes: Uint8Array;
  readonly #representatives: readonly number[];
  readonly #stride: number;
  readonly #hasBoundaries: boolean;
  /** The instructions of the start of the program, added at every position after the first. */
  readonly #restart: Uint16Array;
  readonly #matchesAll: boolean;

  #table = new Int32Array(firstTransitions);
  #states: { readonly leaves: Uint16Array; readonly before: number }[] = [];
  #known = new Map<string, number>();
  #leafCount = 0;

  /** The instructions already in the set being built: those marked with its number. */
  readonly #marks: Uint32Array;
  #mark = 0;
  #leaves: number[] = [];
  #stack: number[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#marks = new Uint32Array(program.codes.length);
    this.#hasBoundaries = program.codes.some(
      (instruction, index) => instruction === code.assertion && (program.other[index] ?? 0) >= 2,
    );
    const { classes, representatives } = classify(program, this.#hasBoundaries);
    this.#classes = classes;
    this.#representatives = representatives;
    this.#stride = representatives.length + 1;
    this.#begin();
    this.#follow(program.start, other);
    this.#restart = Uint16Array.from(this.#leaves);
    this.#matchesAll = this.#forget();
  }

  isMatch(bytes: string): boolean {
    if (this.#matchesAll) return true;
    const classes = this.#classes;
    // The row of the first state.
    let state = this.#stride;
    for (let index = 0; index < bytes.length; index += 1) {
      const octetClass = classes[bytes.charCodeAt(index) & 0xff] ?? 0;
      let next = this.#table[state + octetClass] ?? unknown;
      if (next === unknown) next = this.#step(state, octetClass);
      if (next < 0) return next === isMatched;
      state = next;
    }
    const atEnd = this.#table[state + this.#stride - 1] ?? unknown;
    return (atEnd === unknown ? this.#step(state, this.#stride - 1) : atEnd) === isMatched;
  }

  /** Discards all states but the first. Returns whether the program matches before any octet. */
  #forget(): boolean {
    this.#states = [];
    this.#known = new Map();
    this.#leafCount = 0;
    this.#table = new Int32Array(firstTransitions);
    this.#begin();
    const isMatching = this.#follow(this.#program.start, edge);
    this.#intern(edge);
    return isMatching;
  }

  #begin(): void {
    this.#mark += 1;
    this.#leaves = [];
  }

  /** Completes one entry of the table. */
  #step(state: number, octetClass: number): number {
    const { leaves, before } = this.#states[state / this.#stride - 1] ?? {
      leaves: this.#restart,
      before: other,
    };
    const isEnd = octetClass === this.#stride - 1;
    const octet = this.#representatives[octetClass] ?? 0;
    const next = this.#next(leaves, before, isEnd ? edge : octetKind(octet), isEnd ? undefined : octet);
    if (next === undefined) return this.#note(state, octetClass, isMatched);
    if (isEnd || this.#leaves.length === 0) return this.#note(state, octetClass, isDead);
    const isFull =
      this.#states.length * this.#stride >= transitionsMax ||
      this.#leafCount + this.#leaves.length > leavesMax;
    if (!isFull) return this.#note(state, octetClass, this.#intern(next));
    const kept = this.#leaves;
    this.#forget();
    this.#leaves = kept;
    return this.#intern(next);
  }

  #note(state: number, octetClass: number, next: number): number {
    return (this.#table[state + octetClass] = next);
  }

  /**
   * Collects the leaves after the octet. Returns the kind of octet before them; undefined if the program has
   * matched.
   */
  #next(from: Uint16Array, before: number, after: number, octet: number | undefined): number | undefined {
    const { codes, next, other: operands, sets } = this.#program;
    const leaves = this.#resolve(from, before, after);
    if (leaves === undefined) return undefined;
    this.#begin();
    if (octet === undefined) return other;
    for (const leaf of leaves) {
      if (codes[leaf] !== code.octet || sets[operands[leaf] ?? 0]?.[octet] !== 1) continue;
      if (this.#follow(next[leaf] ?? 0, after)) return undefined;
    }
    for (const leaf of this.#restart) if (this.#follow(leaf, after)) return undefined;
    return this.#hasBoundaries ? after : other;
  }

  /** The leaves, and those after assertions that hold here; undefined if the program has matched. */
  #resolve(leaves: Uint16Array, before: number, after: number): Iterable<number> | undefined {
    const { codes, next, other: operands } = this.#program;
    if (!leaves.some((leaf) => codes[leaf] === code.assertion)) return leaves;
    this.#begin();
    const waiting = Array.from(leaves);
    for (const leaf of waiting) {
      if (codes[leaf] !== code.assertion) this.#leaves.push(leaf);
      else if (holds(operands[leaf] ?? 0, before, after)) {
        const seen = this.#leaves.length;
        if (this.#follow(next[leaf] ?? 0, before)) return undefined;
        // An assertion after another one is judged at the same position.
        waiting.push(...this.#leaves.splice(seen));
      }
    }
    return this.#leaves;
  }

  /** Collects all leaves that are reached without an octet. Returns whether the program matches. */
  #follow(start: number, before: number): boolean {
    const { codes, next, other: operands } = this.#program;
    const marks = this.#marks;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(start);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (marks[at] === this.#mark) continue;
      marks[at] = this.#mark;
      const instruction: number = codes[at] ?? code.match;
      switch (instruction) {
        case code.match:
          return true;
        case code.split:
          stack.push(operands[at] ?? 0, next[at] ?? 0);
          break;
        case code.save:
          stack.push(next[at] ?? 0);
          break;
        case code.assertion:
          // `start` cannot hold after an octet.
          if (operands[at] !== 0) this.#leaves.push(at);
          else if (before === edge) stack.push(next[at] ?? 0);
          break;
        default:
          this.#leaves.push(at);
      }
    }
    return false;
  }

  /** The state of the collected leaves; a new set of leaves gets a new state. */
  #intern(before: number): number {
    const leaves = Uint16Array.from(this.#leaves).toSorted();
    const key = String.fromCharCode(before, ...leaves);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const state = this.#states.push({ leaves, before }) * this.#stride;
    this.#known.set(key, state);
    this.#leafCount += leaves.length;
    if (state + this.#stride > this.#table.length) {
      const grown = new Int32Array(Math.max(this.#table.length * 2, state + this.#stride));
      grown.set(this.#table);
      this.#table = grown;
    }
    return state;
  }
}

function octetKind(octet: number): number {
  return isWordOctet(octet) ? word : other;
}

function holds(assertion: number, before: number, after: number): boolean {
  const kind = assertionKinds[assertion];
  if (kind === "start") return before === edge;
  if (kind === "end") return after === edge;
  const isBoundary = (before === word) !== (after === word);
  return isBoundary === (kind === "boundary");
}

function classify({ sets }: Program, hasBoundaries: boolean) {
  const classes = new Uint8Array(octetCount);
  let count = 1;
  const divide = (isMember: (octet: number) => boolean): void => {
    const moved = new Map<number, number>();
    const rest = new Set<number>();
    for (let octet = 0; octet < octetCount; octet += 1) if (!isMember(octet)) rest.add(classes[octet] ?? 0);
    for (let octet = 0; octet < octetCount; octet += 1) {
      const before = classes[octet] ?? 0;
      if (!isMember(octet) || !rest.has(before)) continue;
      const after = moved.get(before) ?? count++;
      moved.set(before, after);
      classes[octet] = after;
    }
  };
  for (const set of sets) divide((octet) => set[octet] === 1);
  if (hasBoundaries) divide(isWordOctet);
  const representatives: number[] = [];
  for (let octet = 0; octet < octetCount; octet += 1) representatives[classes[octet] ?? 0] ??= octet;
  return { classes, representatives };
}
