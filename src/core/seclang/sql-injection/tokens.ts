import { type Quote, type Token, type TokenKind, kindOfWords, wordLengthMax } from "./words.ts";

/** The syntax of comments: in MySQL `--` needs a blank after it and `#` begins a comment too. */
export type Dialect = "ansi" | "mysql";

/** Places of a statement where a value may stand: outside of strings, or in one of two kinds of quotes. */
export type Context = "" | "'" | '"';

const blanks = /[\0-\x20\x7f\xa0]*/y;
const blank = /[\0-\x20\xa0]/;
const hexNumber = /0(?:[xX][0-9a-fA-F]+|[bB][01]+)/y;
const emptyHexNumber = /0[xXbB]/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:[dDfF](?=[\0-\x20\xa0;uU]|$))?/y;
const unfinishedNumber = /(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?(?!\d)[dDfF]?/y;
const money = /\$(?!\.(?![\d.,]))[\d.,]+/y;
const dollarQuote = /\$[A-Za-z]*\$/y;
const word = /[^\0\t-\r \xa0[\]{}<>:\\?=@!#~+\-*/&|^%(),';"]+/y;
const variable = /[^\0\t-\r <>:\\?=@!#~+\-*/&|^%(),';"`]*/y;
const octetString = /(?:[xX]'[0-9a-fA-F]*|[bB]'[01]*)'/y;
const stringPrefix = /[eEnN](?='[^])|[uU]&(?=')/y;
const quotedAsWritten = /[nN]?[qQ]'([\x21-\xff])/y;
const operator = /<=>|!=|!<|!>|<>|<=|<@|>=|<<|>>|\|\||\|\/|&&|:=|::|\*=|&=|\|=|[!%&*+<=>^|~/-]/y;
/**
 * The length of the longest SQL word plus one. Longer texts would be read again and again while tokens are
 * folded.
 */
const textLengthMax = wordLengthMax + 1;
const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** Tokenizes a value as database servers do, one token at a time. Linear in the length of the value. */
export class Tokens {
  count = 0;
  /** Whether the other dialect would have read the value differently so far. */
  differs = false;
  readonly #value: string;
  readonly #dialect: Dialect;
  #context: Context;
  #at = 0;

  constructor(value: string, context: Context, dialect: Dialect) {
    this.#value = value;
    this.#dialect = dialect;
    this.#context = context;
  }

  /** The next token, with the beginning of its text; undefined at the end. */
  next(): Token | undefined {
    const token = this.#read();
    if (token === undefined) return undefined;
    this.count += 1;
    const { text } = token;
    return text.length <= textLengthMax ? token : { ...token, text: text.slice(0, textLengthMax) };
  }

  #read(): Token | undefined {
    const quote = this.#context;
    if (quote !== "") {
      this.#context = "";
      return this.#string(quote, "");
    }
    this.#take(blanks);
    return this.#at < this.#value.length ? this.#readAt(this.#value.charAt(this.#at)) : undefined;
  }

  /** The sticky expression's match at the position, which moves after it; empty if there is none. */
  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    if (!expression.test(this.#value)) return "";
    const start = this.#at;
    this.#at = expression.lastIndex;
    return this.#value.slice(start, this.#at);
  }

  #sign(kind: TokenKind): Token {
    this.#at += 1;
    return { kind, text: kind };
  }

  #readAt(character: string): Token {
    switch (character) {
      case "'":
      case '"':
        this.#at += 1;
        return this.#string(character, character);
      case "`":
        return this.#quotedName();
      case "[":
        return { kind: "n", text: this.#upTo("]") };
      case "(":
      case ")":
      case "{":
      case "}":
      case ",":
      case ";":
        return this.#sign(character);
      case "-":
        return this.#dash();
      case "#":
        return this.#hash();
      case "/":
        return this.#slash();
      case "\\":
        return this.#backslash();
      case "@":
        return this.#variable();
      case "$":
        return this.#dollar();
      case "?":
      case "]":
        this.#at += 1;
        return { kind: "?", text: character };
      default:
        return /[\d.]/.test(character) ? this.#number() : this.#operatorOrWord(character);
    }
  }

  #number(): Token {
    const hex = this.#take(hexNumber);
    if (hex !== "") return { kind: "1", text: hex };
    const name = this.#take(emptyHexNumber) || this.#take(unfinishedNumber);
    if (name !== "") return { kind: "n", text: name };
    const decimal = this.#take(number);
    return decimal === "" ? this.#sign(".") : { kind: "1", text: decimal };
  }

  #operatorOrWord(character: string): Token {
    const sign = this.#take(operator);
    if (sign !== "") return { kind: kindOfWords(sign) ?? "o", text: sign };
    if (character === ":") {
      const kind = this.#at + 1 === this.#value.length ? "o" : ":";
      this.#at += 1;
      return { kind, text: ":" };
    }
    return this.#prefixedString(character) ?? this.#word();
  }

  #prefixedString(character: string): Token | undefined {
    if (!/[bennquxBENQUX]/.test(character)) return undefined;
    const octets = this.#take(octetString);
    if (octets !== "") return { kind: "1", text: octets };
    const prefix = this.#take(stringPrefix);
    if (prefix !== "") {
      this.#at += 1;
      return this.#string("'", "'");
    }
    const opened = this.#take(quotedAsWritten).at(-1);
    if (opened === undefined) return undefined;
    return this.#stringUpTo(`${closing[opened] ?? opened}'`, "q");
  }

  /** Reads a word. A dotted name is one token, unless the part before a dot is an SQL word. */
  #word(): Token {
    const text = this.#take(word);
    const ends = /[.`]/.test(text) ? text.slice(0, wordLengthMax + 1).matchAll(/[.`]/g) : [];
    for (const { index } of ends) {
      const kind = kindOfWords(text.slice(0, index).toLowerCase());
      if (kind === undefined) continue;
      this.#at -= text.length - index;
      return { kind, text: text.slice(0, index) };
    }
    return { kind: kindOfWords(text.toLowerCase()) ?? "n", text };
  }

  /** Reads up to the closing quote; doubled quotes and those after a backslash do not close. */
  #string(quote: Quote, opened: Quote): Token {
    const start = this.#at;
    for (let end = this.#value.indexOf(quote, start); end >= 0; end = this.#value.indexOf(quote, end + 1)) {
      if (isEscaped(this.#value, start, end)) continue;
      if (this.#value.charAt(end + 1) === quote) {
        end += 1;
        continue;
      }
      this.#at = end + 1;
      return { kind: "s", text: this.#value.slice(start, end), quotes: { opened, closed: quote } };
    }
    this.#at = this.#value.length;
    return { kind: "s", text: this.#value.slice(start), quotes: { opened, closed: "" } };
  }

  #stringUpTo(end: string, quote: Quote): Token {
    const start = this.#at;
    const found = this.#value.indexOf(end, start);
    this.#at = found < 0 ? this.#value.length : found + end.length;
    const text = this.#value.slice(start, found < 0 ? undefined : found);
    return { kind: "s", text, quotes: { opened: quote, closed: found < 0 ? "" : quote } };
  }

  #upTo(end: string): string {
    const start = this.#at;
    const found = this.#value.indexOf(end, start + 1);
    this.#at = found < 0 ? this.#value.length : found + 1;
    return this.#value.slice(start, this.#at);
  }

  #quotedName(): Token {
    this.#at += 1;
    const { text, quotes } = this.#string("`", "`");
    const isFunction = kindOfWords(text.toLowerCase()) === "f";
    return { kind: isFunction ? "f" : "n", text, ...(quotes && { quotes }) };
  }

  #comment(): Token {
    const start = this.#at;
    const end = this.#value.indexOf("\n", start);
    this.#at = end < 0 ? this.#value.length : end + 1;
    return { kind: "c", text: this.#value.slice(start, end < 0 ? undefined : end) };
  }

  #dash(): Token {
    if (this.#value.charAt(this.#at + 1) === "-") {
      const next = this.#value.charAt(this.#at + 2);
      if (next === "" || blank.test(next)) return this.#comment();
      if (this.#dialect === "ansi") {
        this.differs = true;
        return this.#comment();
      }
    }
    this.#at += 1;
    return { kind: "o", text: "-" };
  }

  #hash(): Token {
    this.differs = true;
    if (this.#dialect === "mysql") return this.#comment();
    this.#at += 1;
    return { kind: "o", text: "#" };
  }

  #slash(): Token {
    if (this.#value.charAt(this.#at + 1) !== "*") return { kind: "o", text: this.#take(operator) };
    const start = this.#at;
    const end = this.#value.indexOf("*/", start + 2);
    this.#at = end < 0 ? this.#value.length : end + 2;
    const text = this.#value.slice(start, this.#at);
    // MySQL executes `/*! */`, and ordinary comments do not contain another comment.
    const isAttack = text.startsWith("/*!") || (end >= 0 && text.indexOf("/*", 2) > 0);
    return { kind: isAttack ? "X" : "c", text };
  }

  #backslash(): Token {
    if (this.#value.charAt(this.#at + 1) !== "N") return this.#sign("\\");
    this.#at += 2;
    return { kind: "1", text: String.raw`\N` };
  }

  #variable(): Token {
    this.#at += this.#value.startsWith("@@", this.#at) ? 2 : 1;
    const quote = this.#value.charAt(this.#at);
    if (quote !== "`" && quote !== "'" && quote !== '"') return { kind: "v", text: this.#take(variable) };
    this.#at += 1;
    return { ...this.#string(quote, quote), kind: "v" };
  }

  #dollar(): Token {
    const amount = this.#take(money);
    if (amount !== "") return { kind: "1", text: amount };
    const quote = this.#take(dollarQuote);
    if (quote !== "") return this.#stringUpTo(quote, "$");
    if (this.#value.charAt(this.#at + 1) === ".") return this.#word();
    this.#at += 1;
    return { kind: "n", text: "$" };
  }
}

/** Whether an odd number of backslashes stands before. Counts no further back than `start`. */
function isEscaped(value: string, start: number, at: number): boolean {
  let before = at;
  while (before > start && value.charAt(before - 1) === "\\") before -= 1;
  return (at - before) % 2 === 1;
}
