import {
  type OctetSet,
  anyOctet,
  complementOf,
  letterClasses,
  namedClasses,
  octetCount,
  singleOctet,
  withBothCases,
} from "./octets.ts";
import { PatternError } from "../../expression/engines.ts";
import { LruMap } from "../../lru-map.ts";

export type Assertion = "start" | "end" | "boundary" | "no-boundary";

export type PatternNode =
  | { readonly kind: "octet"; readonly octets: OctetSet }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternatives"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repetition";
      readonly part: PatternNode;
      readonly least: number;
      /** Infinity if there is no upper bound. */
      readonly most: number;
      readonly isLazy: boolean;
    }
  /** Groups count from 1. */
  | { readonly kind: "group"; readonly index: number; readonly part: PatternNode }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "look-around"; readonly sign: "=" | "!" | "<=" | "<!"; readonly part: PatternNode }
  | { readonly kind: "reference"; readonly index: number };

interface ParsedPattern {
  readonly root: PatternNode;
  readonly groupCount: number;
  /** Whether it has look-around or back references, which an automaton cannot match. */
  readonly needsBacktracking: boolean;
}

/**
 * Parses a PCRE pattern with the flags that ModSecurity sets: `.` matches any octet and `$` only the end.
 * Possessive quantifiers and atomic groups are read as ordinary ones, which match no less. Throws
 * PatternError.
 */
export function parsePattern(written: string): ParsedPattern {
  const parser = new Parser(written);
  return parser.parse();
}

const opening = /\((?:\?(?:(:|>)|(?:P?<([A-Za-z_]\w*)>)|(<?[=!])|([a-z]*)(?:-([a-z]*))?([:)])))?/y;
const quantifier = /(?:([*+?])|\{(\d{1,5})(?:(,)(\d{1,5})?)?\})([?+])?/y;
const posix = /\[:(\^?)([a-z]+):\]/y;
const wholeClass = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[^]|[^\\\]])*\]/y;
const hex = /\\x(?:\{([0-9a-fA-F]{1,2})\}|([0-9a-fA-F]{1,2}))/y;
const octal = /\\(0[0-7]{0,2})/y;
const repeatedMax = 65_535;

/** Classes by their texts: a release has thousands of them, but only a few hundred different ones. */
const knownClasses = new LruMap<string, { readonly node: PatternNode; readonly length: number }>(512);
const controls: Readonly<Record<string, number>> = { a: 7, e: 0x1b, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 };
const assertions = {
  A: "start",
  b: "boundary",
  B: "no-boundary",
  z: "end",
  Z: "end",
} as const;

class Parser {
  readonly #written: string;
  #at = 0;
  #groupCount = 0;
  #isCaseless = false;
  #needsBacktracking = false;

  constructor(written: string) {
    this.#written = written;
  }

  parse(): ParsedPattern {
    const root = this.#alternatives();
    if (this.#at < this.#written.length) throw this.#error("a parenthesis closes nothing");
    return { root, groupCount: this.#groupCount, needsBacktracking: this.#needsBacktracking };
  }

  #error(reason: string): PatternError {
    return new PatternError(`${reason}, at octet ${this.#at} of the pattern`);
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#written) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  /** Reads up to a closing parenthesis or the end. */
  #alternatives(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#written[this.#at] === "|") {
      this.#at += 1;
      branches.push(this.#sequence());
    }
    return branches.length === 1 && branches[0] ? branches[0] : { kind: "alternatives", branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#written.length && !"|)".includes(this.#written.charAt(this.#at))) {
      const element = this.#element();
      if (element !== undefined) parts.push(this.#repeated(element));
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: "sequence", parts };
  }

  #repeated(element: PatternNode): PatternNode {
    // Few elements are repeated.
    if (!"*+?{".includes(this.#written.charAt(this.#at))) return element;
    let part = element;
    for (let found = this.#take(quantifier); found !== undefined; found = this.#take(quantifier)) {
      const [, sign, count, comma, bound, kind] = found;
      const least = sign === undefined ? Number(count) : Number(sign === "+");
      const most =
        sign === undefined ? Number(comma === undefined ? count : (bound ?? Infinity)) : signMax(sign);
      if (most < least || least > repeatedMax) throw this.#error("the bounds of a repetition are wrong");
      part = { kind: "repetition", part, least, most, isLazy: kind === "?" };
    }
    return part;
  }

  /** Reads an element; undefined for one that only sets flags, such as `(?i)`. */
  #element(): PatternNode | undefined {
    const character = this.#written.charAt(this.#at);
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === "\\") return this.#escape();
    if ("*+?".includes(character)) throw this.#error(`nothing stands before "${character}"`);
    this.#at += 1;
    if (character === ".") return { kind: "octet", octets: anyOctet };
    if (character === "^") return { kind: "assertion", assertion: "start" };
    if (character === "$") return { kind: "assertion", assertion: "end" };
    return this.#octet(character.charCodeAt(0));
  }

  #octet(octet: number): PatternNode {
    return { kind: "octet", octets: singleOctet(octet & 0xff, this.#isCaseless) };
  }

  #group(): PatternNode | undefined {
    const found = this.#take(opening);
    if (found === undefined || (found[0] === "(" && this.#written[this.#at] === "?")) {
      throw this.#error("this kind of group is not supported");
    }
    const [, plain, , look, on, off, end] = found;
    const outside = this.#isCaseless;
    if (end !== undefined) this.#setFlags(on ?? "", off ?? "");
    if (end === ")") return undefined;
    const isNumbered = plain === undefined && look === undefined && end === undefined;
    const index = isNumbered ? (this.#groupCount += 1) : 0;
    const part = this.#alternatives();
    if (this.#written[this.#at] !== ")") throw this.#error("a parenthesis is not closed");
    this.#at += 1;
    this.#isCaseless = outside;
    if (isNumbered) return { kind: "group", index, part };
    if (look === undefined) return part;
    this.#needsBacktracking = true;
    return { kind: "look-around", sign: look as "=" | "!" | "<=" | "<!", part };
  }

  /** Sets flags; `s` is always set. */
  #setFlags(on: string, off: string): void {
    const unknown = /[^is]/.exec(on + off);
    if (unknown !== null) throw this.#error(`the flag "${unknown[0]}" is not supported`);
    if (on.includes("i")) this.#isCaseless = true;
    if (off.includes("i")) this.#isCaseless = false;
  }

  #escape(): PatternNode {
    const letter = this.#written.charAt(this.#at + 1);
    if (/[1-9]/.test(letter)) {
      this.#at += 2;
      this.#needsBacktracking = true;
      return { kind: "reference", index: Number(letter) };
    }
    if (Object.hasOwn(assertions, letter)) {
      this.#at += 2;
      return { kind: "assertion", assertion: assertions[letter as keyof typeof assertions] };
    }
    const escaped = this.#escapedOctets();
    return typeof escaped === "number" ? this.#octet(escaped) : { kind: "octet", octets: escaped };
  }

  /** Reads an escape: an octet, or the class of a letter. */
  #escapedOctets(): number | OctetSet {
    const character = this.#written.charAt(this.#at + 1);
    const code = character === "x" ? this.#take(hex) : undefined;
    if (code !== undefined) return Number.parseInt(code[1] ?? code[2] ?? "", 16);
    const octalCode = character === "0" ? this.#take(octal) : undefined;
    if (octalCode !== undefined) return Number.parseInt(octalCode[1] ?? "", 8) & 0xff;
    if (character === "") throw this.#error("nothing stands behind a backslash");
    const known = letterClasses[character] ?? controls[character];
    if (known === undefined && /[A-Za-z]/.test(character)) {
      throw this.#error(String.raw`"\${character}" is not supported`);
    }
    this.#at += 2;
    return known ?? character.charCodeAt(0) & 0xff;
  }

  #class(): PatternNode {
    const start = this.#at;
    const written = this.#take(wholeClass)?.[0] ?? "";
    this.#at = start;
    const key = `${this.#isCaseless} ${written}`;
    const known = knownClasses.get(key);
    if (known === undefined) {
      const node = this.#newClass();
      knownClasses.set(key, { node, length: this.#at - start });
      return node;
    }
    this.#at += known.length;
    return known.node;
  }

  #newClass(): PatternNode {
    this.#at += 1;
    const set = new Uint8Array(octetCount);
    const isNegated = this.#written[this.#at] === "^";
    if (isNegated) this.#at += 1;
    for (let isFirst = true; isFirst || this.#written[this.#at] !== "]"; isFirst = false) {
      if (this.#at >= this.#written.length) throw this.#error("a bracket is not closed");
      this.#addMember(set);
    }
    this.#at += 1;
    const members = this.#isCaseless ? withBothCases(set) : set;
    return { kind: "octet", octets: isNegated ? complementOf(members) : members };
  }

  #addMember(set: OctetSet): void {
    const [named, negation, name = ""] = this.#take(posix) ?? [];
    if (named !== undefined) {
      const members = namedClasses[name];
      if (members === undefined) throw this.#error(`"${named}" is not supported`);
      return addAll(set, negation === "" ? members : complementOf(members));
    }
    const first = this.#member();
    if (typeof first !== "number") return addAll(set, first);
    if (this.#written[this.#at] !== "-" || this.#written[this.#at + 1] === "]") {
      set[first] = 1;
      return;
    }
    this.#at += 1;
    const last = this.#member();
    if (typeof last !== "number") {
      set[first] = set[0x2d] = 1;
      return addAll(set, last);
    }
    if (last < first) throw this.#error("a range of octets is out of order");
    set.fill(1, first, last + 1);
  }

  #member(): number | OctetSet {
    const character = this.#written.charAt(this.#at);
    if (character !== "\\") {
      this.#at += 1;
      return character.charCodeAt(0) & 0xff;
    }
    // Inside a class, `\b` is a backspace.
    if (this.#written[this.#at + 1] !== "b") return this.#escapedOctets();
    this.#at += 2;
    return 0x08;
  }
}

function signMax(sign: string): number {
  return sign === "?" ? 1 : Infinity;
}

function addAll(set: OctetSet, members: OctetSet): void {
  for (let octet = 0; octet < octetCount; octet += 1) set[octet] ||= members[octet] ?? 0;
}
