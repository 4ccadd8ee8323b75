import type { Token, TokenKind } from "./token.ts";
import { kindOfWords } from "./words.ts";

/** How comments are written: `--` before anything, or only before a blank and with `#`, as MySQL has them. */
export type Dialect = "ansi" | "mysql";

/** Where in a statement a value may stand: outside of strings, or within one of two kinds of quotes. */
export type Context = "" | "'" | '"';

export interface Tokens {
  readonly tokens: readonly Token[];
  /** Whether the other dialect would read the value differently. */
  readonly differs: boolean;
}

const blank = /[\0\t-\r \xa0]+/y;
const number = /0[xX][0-9a-fA-F]*|0[bB][01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:[fFdD](?![\w]))?/y;
const money = /\$[\d.,]+/y;
const word = /[^\0\t-\r \xa0[\]{}<>:\\?=@!#~+\-*/&|^%(),';"$`]+/y;
const variable = /@@?(?:`[^`]*`?|'[^']*'?|"[^"]*"?|[\w.$]*)/y;
const operator = /<=>|!=|!<|!>|<>|<=|>=|<<|>>|\|\||&&|:=|::|\*=|\+=|-=|\/=|%=|&=|\|=|\^=|==|[!%&*+<=>^|~/-]/y;
const stringPrefix = /(?:[bBeEnNxX]|[uU]&)(?=')/y;
const dollarQuote = /\$([A-Za-z_]*)\$/y;
const lineEnd = /\n|$/g;

/** Splits a value as servers of databases do. Linear in its length. */
export function tokenize(value: string, context: Context, dialect: Dialect): Tokens {
  const reader = new Reader(value, dialect);
  reader.read(context);
  return reader;
}

class Reader implements Tokens {
  readonly tokens: Token[] = [];
  differs = false;
  readonly #value: string;
  readonly #dialect: Dialect;
  #at = 0;

  constructor(value: string, dialect: Dialect) {
    this.#value = value;
    this.#dialect = dialect;
  }

  read(context: Context): void {
    if (context !== "") this.#string(context, "");
    while (this.#at < this.#value.length) {
      if (this.#take(blank) === undefined) this.#next();
    }
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#value)?.[0];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }

  #add(kind: TokenKind, text: string): void {
    this.tokens.push({ kind, text });
  }

  #next(): void {
    const character = this.#value.charAt(this.#at);
    switch (character) {
      case "'":
      case '"':
        this.#at += 1;
        return this.#string(character, character);
      case "`":
        return this.#name("`");
      case "[":
        return this.#name("]");
      case "(":
      case ")":
      case "{":
      case "}":
      case ",":
      case ";":
        this.#at += 1;
        return this.#add(character, character);
      case "-":
        return this.#dash();
      case "#":
        return this.#hash();
      case "/":
        return this.#slash();
      case "\\":
        return this.#backslash();
      case "@":
        return this.#add("v", this.#take(variable) ?? "");
      case "$":
        return this.#dollar();
      default:
        return this.#wordOrSign(character);
    }
  }

  #wordOrSign(character: string): void {
    const digits = this.#take(number);
    if (digits !== undefined) return this.#add("1", digits);
    if (character === ".") {
      this.#at += 1;
      return this.#add(".", ".");
    }
    const prefix = this.#take(stringPrefix);
    if (prefix !== undefined) {
      this.#at += 1;
      return this.#string("'", "'");
    }
    const sign = this.#take(operator);
    if (sign !== undefined) return this.#add(kindOfWords(sign) ?? "o", sign);
    const text = this.#take(word);
    if (text !== undefined) return this.#word(text);
    this.#at += 1;
    this.#add(character === ":" ? ":" : "?", character);
  }

  /** A name with dots is one, unless what stands before the first dot is a word of the language. */
  #word(text: string): void {
    const known = kindOfWords(text.toLowerCase());
    const dot = text.indexOf(".");
    if (known === undefined && dot > 0) {
      const head = kindOfWords(text.slice(0, dot).toLowerCase());
      if (head !== undefined) {
        this.#at -= text.length - dot;
        return this.#add(head, text.slice(0, dot));
      }
    }
    this.#add(known ?? "n", text);
  }

  /** Reads as far as the quote that closes, past doubled ones and those behind a backslash. */
  #string(quote: string, opened: string): void {
    const start = this.#at;
    for (let end = this.#value.indexOf(quote, start); end >= 0; end = this.#value.indexOf(quote, end + 1)) {
      if (isEscaped(this.#value, start, end)) continue;
      if (this.#value.charAt(end + 1) === quote) {
        end += 1;
        continue;
      }
      this.#at = end + 1;
      this.tokens.push({ kind: "s", text: this.#value.slice(start, end), quotes: { opened, closed: quote } });
      return;
    }
    this.#at = this.#value.length;
    this.tokens.push({ kind: "s", text: this.#value.slice(start), quotes: { opened, closed: "" } });
  }

  #name(end: string): void {
    const start = this.#at + 1;
    const found = this.#value.indexOf(end, start);
    this.#at = found < 0 ? this.#value.length : found + 1;
    const text = this.#value.slice(start, found < 0 ? undefined : found);
    this.#add(end === "`" && kindOfWords(text.toLowerCase()) === "f" ? "f" : "n", text);
  }

  #comment(): void {
    const start = this.#at;
    lineEnd.lastIndex = start;
    this.#at = lineEnd.exec(this.#value)?.index ?? this.#value.length;
    this.#add("c", this.#value.slice(start, this.#at));
  }

  #dash(): void {
    if (this.#value.charAt(this.#at + 1) !== "-") return this.#add("o", this.#take(operator) ?? "");
    const next = this.#value.charAt(this.#at + 2);
    if (next === "" || /[\0-\x20]/.test(next)) return this.#comment();
    this.differs = true;
    if (this.#dialect === "ansi") return this.#comment();
    this.#at += 1;
    this.#add("o", "-");
  }

  #hash(): void {
    this.differs = true;
    if (this.#dialect === "mysql") return this.#comment();
    this.#at += 1;
    this.#add("o", "#");
  }

  #slash(): void {
    if (this.#value.charAt(this.#at + 1) !== "*") return this.#add("o", this.#take(operator) ?? "");
    const start = this.#at;
    const end = this.#value.indexOf("*/", start + 2);
    this.#at = end < 0 ? this.#value.length : end + 2;
    const text = this.#value.slice(start, this.#at);
    // MySQL runs what stands in `/*! */`, and no honest comment holds another one.
    const isAttack = text.startsWith("/*!") || text.indexOf("/*", 2) > 0;
    this.#add(isAttack ? "X" : "c", text);
  }

  #backslash(): void {
    if (this.#value.charAt(this.#at + 1) === "N") {
      this.#at += 2;
      return this.#add("1", String.raw`\N`);
    }
    this.#at += 1;
    this.#add("\\", "\\");
  }

  #dollar(): void {
    const amount = this.#take(money);
    if (amount !== undefined) return this.#add("1", amount);
    const quote = this.#take(dollarQuote);
    if (quote === undefined) {
      this.#at += 1;
      return this.#add("n", `$${this.#take(word) ?? ""}`);
    }
    const end = this.#value.indexOf(quote, this.#at);
    const text = this.#value.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#value.length : end + quote.length;
    this.tokens.push({ kind: "s", text, quotes: { opened: "$", closed: end < 0 ? "" : "$" } });
  }
}

/** Whether an odd number of backslashes stands before. Counts no further back than `start`. */
function isEscaped(value: string, start: number, at: number): boolean {
  let before = at;
  while (before > start && value.charAt(before - 1) === "\\") before -= 1;
  return (at - before) % 2 === 1;
}
