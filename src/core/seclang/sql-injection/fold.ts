import type { Token, TokenKind } from "./token.ts";
import type { Tokens } from "./tokens.ts";
import { joinWords } from "./words.ts";

/** How many folded tokens are classified. */
const foldedMax = 5;

const unary = new Set(["+", "-", "!", "~", "!!", "not"]);
const arithmetic = new Set(["*", "/", "-", "+", "%"]);

/** Names that are functions if a parenthesis follows; the arguments do not matter. */
const calledNames = new Set([
  "user_id", "user_name", "database", "password", "user", "current_user", "current_date", "current_time",
  "current_timestamp", "localtime", "localtimestamp",
]); // prettier-ignore

/** Shapes of five tokens that mean no more than their first token. */
const silent = /^(?:1[o,]\(1\)|no\([n1]\)|1\),\(1|n\)o\(n)$/;

/**
 * Reduces tokens to the few that identify an attack: signs before numbers, sums, lists and comments between
 * tokens are dropped. Reads no more tokens than needed.
 */
export function fold(tokens: Tokens): Token[] {
  const folding = new Folding(tokens);
  return folding.fold();
}

class Folding {
  readonly #tokens: Tokens;
  /** The tokens kept so far, up to one more than are classified. */
  readonly #kept: Token[] = [];
  /** Where the next rule is tried: everything before is folded. */
  #left = 0;
  #comment: Token | undefined;
  #isAtEnd = false;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  fold(): Token[] {
    if (!this.#readFirst()) return [];
    while (this.#left < foldedMax) {
      if (this.#kept.length >= foldedMax) this.#forgetSilent();
      if (!this.#read(2)) break;
      if (this.#foldPair()) continue;
      if (!this.#read(3)) break;
      if (!this.#foldTriple()) this.#left += 1;
    }
    const folded = this.#kept.slice(0, foldedMax);
    if (this.#comment !== undefined && folded.length < foldedMax) folded.push(this.#comment);
    const last = folded.at(-1);
    if (folded.length > 2 && last !== undefined && isOpenName(last))
      folded[folded.length - 1] = { ...last, kind: "c" };
    return folded;
  }

  /** Skips leading tokens that carry no meaning, as they may precede anything. */
  #readFirst(): boolean {
    for (let token = this.#tokens.next(); token !== undefined; token = this.#tokens.next()) {
      if (isOne("c(t", token) || isUnary(token)) continue;
      this.#kept.push(token);
      return true;
    }
    return false;
  }

  /** Whether so many tokens follow from the current position, reading more if possible. */
  #read(count: number): boolean {
    while (!this.#isAtEnd && this.#kept.length <= foldedMax && this.#kept.length - this.#left < count) {
      const token = this.#tokens.next();
      if (token === undefined) this.#isAtEnd = true;
      else if (token.kind === "c") this.#comment = token;
      else {
        this.#comment = undefined;
        this.#kept.push(token);
      }
    }
    return this.#kept.length - this.#left >= count;
  }

  #forgetSilent(): void {
    if (!silent.test(shapeOf(this.#kept.slice(0, foldedMax)))) return;
    this.#kept.splice(1, foldedMax - 1);
    this.#left = 0;
  }

  /** Replaces so many tokens at the current position. */
  #replace(count: number, ...by: Token[]): true {
    this.#kept.splice(this.#left, count, ...by);
    return true;
  }

  /** As `#replace`, then continues at the beginning. */
  #restart(count: number, ...by: Token[]): true {
    this.#replace(count, ...by);
    this.#left = 0;
    return true;
  }

  /** As `#replace`, then continues one token earlier. */
  #stepBack(count: number, ...by: Token[]): true {
    this.#replace(count, ...by);
    this.#left = Math.max(0, this.#left - 1);
    return true;
  }

  #foldPair(): boolean {
    const first = this.#kept[this.#left];
    const second = this.#kept[this.#left + 1];
    if (first === undefined || second === undefined) return false;
    if (isOne("s;", first) && first.kind === second.kind) return this.#replace(2, first);
    if (isOne("o&", first) && (isUnary(second) || second.kind === "t")) return this.#restart(2, first);
    if (first.kind === "(" && isUnary(second)) return this.#stepBack(2, first);
    const joined = joinWords(first, second);
    if (joined !== undefined) return this.#stepBack(2, joined);
    const kind = kindBefore(first, second);
    if (kind !== undefined) return this.#replace(1, { ...first, kind });
    if (first.kind === ";" && second.kind === "f" && second.text.toLowerCase() === "if") {
      return this.#replace(2, first, { ...second, kind: "T" });
    }
    if (first.kind === "t" && isOne("n1t(fvs", second)) return this.#restart(2, second);
    if (first.kind === "A" && second.kind === "n" && second.text.includes("_")) {
      return this.#restart(2, first, { ...second, kind: "t" });
    }
    if (first.kind === "\\") {
      return isArithmetic(second) ? this.#restart(1, { ...first, kind: "1" }) : this.#restart(2, second);
    }
    if (isOne("()", first) && first.kind === second.kind) return this.#restart(2, first);
    if (first.kind === "{" && second.kind === "n") {
      return second.text === "" ? this.#replace(2, { ...second, kind: "X" }) : this.#restart(2);
    }
    if (second.kind === "}") return this.#restart(2, first);
    return false;
  }

  #foldTriple(): boolean {
    const first = this.#kept[this.#left];
    const second = this.#kept[this.#left + 1];
    const third = this.#kept[this.#left + 2];
    if (first === undefined || second === undefined || third === undefined) return false;
    const shape = (a: string, b: string, c: string): boolean =>
      isOne(a, first) && isOne(b, second) && isOne(c, third);
    if (isSaidByFirst(first, second, third)) return this.#restart(3, first);
    if (isUnary(second)) {
      if (shape(",", "o", "n1sv")) return this.#restart(3);
      if (shape("EB,", "o", "(") || shape("kEB", "o", "n1sv") || shape("kEB,", "o", "f")) {
        return this.#restart(3, first, third);
      }
    }
    if (shape("E", ".", "n")) return this.#restart(3, first, third);
    if (shape("f", "(", third.kind) && third.kind !== ")" && calledNames.has(first.text.toLowerCase())) {
      this.#kept[this.#left] = { ...first, kind: "n" };
    }
    return false;
  }
}

/** Whether an expression of three tokens has the kind of its first token. */
function isSaidByFirst(first: Token, second: Token, third: Token): boolean {
  const shape = (a: string, b: string, c: string): boolean =>
    isOne(a, first) && isOne(b, second) && isOne(c, third);
  return (
    shape("v", "o", "v1n") ||
    shape("n1", "o", "n1") ||
    (isOne("o", first) && second.kind !== "(" && isOne("o", third)) ||
    (isOne("&", first) && isOne("&", third)) ||
    (shape("n1sv", "o", "t") && second.text === "::") ||
    shape("n1sv", ",", "n1sv") ||
    shape("n", ".", "n")
  );
}

/** The kind that a token takes on because of the next one; undefined if it keeps its own. */
function kindBefore(first: Token, second: Token): TokenKind | undefined {
  const text = first.text.toLowerCase();
  if (isOne("nv", first) && second.kind === "(" && calledNames.has(text)) return "f";
  if (first.kind === "k" && (text === "in" || text === "not in")) return second.kind === "(" ? "o" : "n";
  if (first.kind === "o" && second.kind === "(" && (text === "like" || text === "not like")) return "f";
  return undefined;
}

export function shapeOf(tokens: readonly Token[]): string {
  return tokens.map(({ kind }) => kind).join("");
}

/** PHP's clients of MySQL take a backquote at the end for a comment. */
function isOpenName({ kind, text, quotes }: Token): boolean {
  return kind === "n" && text === "" && quotes?.closed === "";
}

function isUnary({ kind, text }: Token): boolean {
  return kind === "o" && unary.has(text.toLowerCase());
}

function isArithmetic({ kind, text }: Token): boolean {
  return kind === "o" && arithmetic.has(text);
}

function isOne(kinds: string, token: Token): boolean {
  return kinds.includes(token.kind);
}
