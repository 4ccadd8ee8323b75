import { PatternError } from "../../expression/engines.ts";
import type { Assertion, PatternNode } from "./parse.ts";
import type { OctetSet } from "./octets.ts";

/** Instruction codes. */
export const code = {
  /** Matches one octet of its set. */
  octet: 0,
  /** Continues at `next`, or with lower priority at `other`. */
  split: 1,
  /** Saves the position in slot `other`: twice the group's index, plus one for its end. */
  save: 2,
  /** Continues if the assertion `other`, an index of `assertionKinds`, holds. */
  assertion: 3,
  match: 4,
} as const;

export const assertionKinds: readonly Assertion[] = ["start", "end", "boundary", "no-boundary"];

/** A pattern as instructions (Thompson, 1968), in columns. */
export interface Program {
  readonly codes: Uint8Array;
  readonly next: Uint16Array;
  readonly other: Uint16Array;
  /** Indexed by `other` of `octet` instructions. */
  readonly sets: readonly OctetSet[];
  readonly start: number;
}

/** Instruction indexes are used as characters in the automaton's keys. */
const instructionsMax = 0xffff;

/** Throws PatternError if a pattern is too large to be compiled. */
export function requireSize(root: PatternNode): void {
  if (sizeOf(root) >= instructionsMax) throw new PatternError("the pattern is too large");
}

/** Compiles a pattern of that size without look-around and references. */
export function compileProgram(root: PatternNode): Program {
  const writer = new Writer();
  return writer.finish(root);
}

/** An upper bound of the number of instructions of a pattern. */
function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case "sequence":
      return sum(node.parts);
    case "alternatives":
      return sum(node.branches) + node.branches.length;
    case "repetition": {
      const { part, least, most } = node;
      return (sizeOf(part) + 1) * (most === Infinity ? Math.max(1, least) : most) + 1;
    }
    case "group":
    case "look-around":
      return sizeOf(node.part) + 2;
    case "octet":
    case "assertion":
    case "reference":
      return 1;
  }
}

function sum(nodes: readonly PatternNode[]): number {
  return nodes.reduce((total, node) => total + sizeOf(node), 0);
}

/** Writes a pattern from its end to its beginning, so that each part knows the instruction after it. */
class Writer {
  readonly #codes: number[] = [];
  readonly #next: number[] = [];
  readonly #other: number[] = [];
  readonly #sets = new Map<OctetSet, number>();

  finish(root: PatternNode): Program {
    const start = this.#write(root, this.#add(code.match, 0, 0));
    return {
      codes: Uint8Array.from(this.#codes),
      next: Uint16Array.from(this.#next),
      other: Uint16Array.from(this.#other),
      sets: [...this.#sets.keys()],
      start,
    };
  }

  #add(instruction: number, next: number, other: number): number {
    this.#next.push(next);
    this.#other.push(other);
    return this.#codes.push(instruction) - 1;
  }

  /** Returns where the part begins; `next` is what follows it. */
  #write(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "octet":
        return this.#add(code.octet, next, this.#setIndex(node.octets));
      case "sequence":
        return node.parts.reduceRight((following, part) => this.#write(part, following), next);
      case "alternatives": {
        const begins = node.branches.map((branch) => this.#write(branch, next));
        return begins.reduceRight((others, begin) => this.#add(code.split, begin, others));
      }
      case "repetition":
        return this.#repeat(node, next);
      case "group": {
        const end = this.#add(code.save, next, node.index * 2 + 1);
        return this.#add(code.save, this.#write(node.part, end), node.index * 2);
      }
      case "assertion":
        return this.#add(code.assertion, next, assertionKinds.indexOf(node.assertion));
      case "look-around":
      case "reference":
        throw new PatternError("only a backtracking engine can match the pattern");
    }
  }

  #repeat(node: PatternNode & { readonly kind: "repetition" }, next: number): number {
    const { part, least, most, isLazy } = node;
    let begin = next;
    let written = 0;
    if (most === Infinity) {
      const split = this.#add(code.split, next, next);
      const body = this.#write(part, split);
      (isLazy ? this.#other : this.#next)[split] = body;
      begin = least === 0 ? split : body;
      written = Math.min(1, least);
    } else {
      for (let count = least; count < most; count += 1) {
        const body = this.#write(part, begin);
        begin = isLazy ? this.#add(code.split, next, body) : this.#add(code.split, body, next);
      }
    }
    for (; written < least; written += 1) begin = this.#write(part, begin);
    return begin;
  }

  #setIndex(set: OctetSet): number {
    const known = this.#sets.get(set) ?? this.#sets.size;
    this.#sets.set(set, known);
    return known;
  }
}
