import { type Token, type TokenKind, joinWords } from "./words.ts";
import type { Tokens } from "./tokens.ts";

/** The number of folded tokens that are classified. */
const foldedMax = 5;

const unary = new Set(["+", "-", "!", "~", "!!", "not"]);
const arithmetic = new Set(["*", "/", "-", "+", "%"]);

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
  readonly #kept: Token[] = [];
  /** The position at which the next rule is tried: everything before is folded. */
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

  /** Whether `count` tokens follow from the current position, reading more if possible. */
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

  /**
   * Replaces `count` tokens at the current position. Where more were read, it is the last ones that go for
   * those replaced by fewer, as in libinjection.
   */
  #replace(count: number, ...by: Token[]): true {
    for (const [index, token] of by.entries()) this.#kept[this.#left + index] = token;
    this.#kept.length -= count - by.length;
    return true;
  }

  /** Replaces tokens like `#replace`, then continues at the beginning. */
  #restart(count: number, ...by: Token[]): true {
    this.#replace(count, ...by);
    this.#left = 0;
    return true;
  }

  /** Replaces tokens like `#replace`, then continues one token earlier. */
  #stepBack(count: number, ...by: Token[]): true {
    this.#replace(count, ...by);
    this.#left = Math.max(0, this.#left - 1);
    return true;
  }

  #foldPair(): boolean {
    const first = this.#kept[this.#left];
    const second = this.#kept[this.#left + 1];
    if (first === undefined || second === undefined) return false;
    if (first.kind === second.kind && isOne("s;", first)) return this.#replace(2, first);
    if (isOne("o&", first) && (isUnary(second) || second.kind === "t")) return this.#restart(2, first);
    if (first.kind === "(" && isUnary(second)) return this.#stepBack(2, first);
    const joined = joinWords(first, second);
    if (joined !== undefined) return this.#stepBack(2, joined);
    if (first.kind === ";" && second.kind === "f" && /^if/i.test(second.text)) {
      return this.#replace(2, first, { ...second, kind: "T" });
    }
    const kind = kindBefore(first, second);
    if (kind !== undefined) {
      this.#kept[this.#left] = { ...first, kind };
      // `like` and what follows are not folded any further, even where its kind stays.
      return first.kind === "k";
    }
    if (first.kind === "t" && isOne("n1t(fvs", second)) return this.#restart(2, second);
    if (first.kind === "A" && second.kind === "n" && second.text.includes("_")) {
      return this.#restart(2, first, { ...second, kind: "t" });
    }
    if (first.kind === "\\") {
      return isArithmetic(second) ? this.#restart(1, { ...first, kind: "1" }) : this.#restart(2, second);
    }
    if (first.kind === second.kind && isOne("()", first)) return this.#restart(2, first);
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
    if (isSaidByFirst(first, second, third)) return this.#restart(3, first);
    if (isUnary(second)) {
      if (first.kind === "," && isOne("n1sv", third)) return this.#restart(3);
      if (hasSign(first, third)) return this.#restart(3, first, third);
    }
    if (first.kind === "E" && second.kind === "." && third.kind === "n")
      return this.#restart(3, first, third);
    // `user(...)` alone is a name, unless nothing stands in its parentheses.
    if (
      first.kind === "f" &&
      second.kind === "(" &&
      third.kind !== ")" &&
      first.text.toLowerCase() === "user"
    )
      this.#kept[this.#left] = { ...first, kind: "n" };
    return false;
  }
}

/** Whether a sign between the two is that of the second. */
function hasSign(first: Token, second: Token): boolean {
  if (second.kind === "(") return isOne("EB,", first);
  return second.kind === "f" ? isOne("kEB,", first) : isOne("kEB", first) && isOne("n1sv", second);
}

/** Whether an expression of three tokens has the kind of its first token. */
function isSaidByFirst(first: Token, second: Token, third: Token): boolean {
  if (first.kind === "o" && third.kind === "o") return second.kind !== "(";
  if (first.kind === "&" && third.kind === "&") return true;
  if (second.kind === ",") return isOne("n1sv", first) && isOne("n1sv", third);
  if (second.kind === ".") return first.kind === "n" && third.kind === "n";
  if (second.kind !== "o") return false;
  return isSum(first, third) || (second.text === "::" && third.kind === "t" && isOne("n1sv", first));
}

function isSum(first: Token, last: Token): boolean {
  return first.kind === "v" ? isOne("v1n", last) : isOne("n1", first) && isOne("n1", last);
}

/** The kind that the next token gives to a word whose kind depends on it; undefined for other words. */
function kindBefore(first: Token, second: Token): TokenKind | undefined {
  const isCalled = second.kind === "(";
  const text = first.text.toLowerCase();
  if (isCalled && isOne("nv", first) && calledNames.has(text)) return "f";
  if (first.kind === "k" && (text === "in" || text === "not in")) return isCalled ? "o" : "n";
  if (first.kind === "o" && (text === "like" || text === "not like")) return isCalled ? "f" : "o";
  return undefined;
}

export function shapeOf(tokens: readonly Token[]): string {
  return tokens.map(({ kind }) => kind).join("");
}

/** Whether a backquote at the end begins a comment, as PHP's clients of MySQL have it. */
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
