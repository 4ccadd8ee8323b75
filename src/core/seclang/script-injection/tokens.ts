/** The kinds of HTML tokens that matter for scripts. */
export type TokenKind =
  | "text"
  | "tag"
  | "attribute-name"
  | "attribute-value"
  | "comment"
  | "doctype"
  | "other";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * Places of a page where a value may stand: between tags, or in a tag, unquoted or in three kinds of quotes.
 */
export const contexts = ["text", "tag", "'", '"', "`"] as const;

export type Context = (typeof contexts)[number];

const blank = /[\0\t-\r ]/;
const endOfTagName = /[\t-\r />]/g;
const endOfAttributeName = /[\0\t-\r /=>]/g;
const endOfValue = /[\0\t-\r >]/g;
const endOfComment = /--!?>/g;

/**
 * Splits a text as browsers do (the HTML standard, section 13.2.5), starting in a context. Linear in its
 * length.
 */
export function* tokenize(text: string, context: Context): Generator<Token> {
  const reader = new Reader(text);
  if (context === "tag") yield* reader.attributes();
  else if (context !== "text") {
    reader.quotedValue(context, 0);
    yield* reader.attributes();
  }
  yield* reader.content();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *content(): Generator<Token> {
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf("<", this.#at);
      if (open < 0) return;
      this.#at = open + 1;
      yield* this.#markup();
    }
  }

  *attributes(): Generator<Token> {
    for (;;) {
      while (this.#at < this.#text.length && (blank.test(this.#peek()) || this.#peek() === "/"))
        this.#at += 1;
      if (this.#at >= this.#text.length) return;
      if (this.#peek() === ">") {
        this.#at += 1;
        return;
      }
      // A name may begin with `=`.
      const start = this.#at;
      this.#at += 1;
      this.#until(endOfAttributeName);
      yield { kind: "attribute-name", text: this.#text.slice(start, this.#at) };
      this.#skipBlanks();
      if (this.#peek() !== "=") continue;
      this.#at += 1;
      this.#skipBlanks();
      if (this.#at < this.#text.length) yield { kind: "attribute-value", text: this.#value() };
    }
  }

  /** Reads as far as the quote, or to the end without one. */
  quotedValue(quote: string, start: number): string {
    const end = this.#text.indexOf(quote, start);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return this.#text.slice(start, end < 0 ? undefined : end);
  }

  *#markup(): Generator<Token> {
    const next = this.#peek();
    if (next === "!") {
      this.#at += 1;
      yield this.#declaration();
    } else if (next === "?") {
      this.#at += 1;
      yield { kind: "comment", text: this.#take(">") };
    } else if (next === "%") {
      this.#at += 1;
      yield { kind: "comment", text: this.#take("%>") };
    } else if (next === "/") {
      this.#at += 1;
      if (/[a-z]/i.test(this.#peek())) yield* this.#tag("other");
      else if (this.#peek() !== ">") yield { kind: "comment", text: this.#take(">") };
    } else if (/[a-z\0]/i.test(next)) yield* this.#tag("tag");
  }

  *#tag(kind: "tag" | "other"): Generator<Token> {
    const start = this.#at;
    this.#until(endOfTagName);
    // A closing tag with anything in it is taken for an opening one.
    yield { kind: this.#peek() === ">" ? kind : "tag", text: this.#text.slice(start, this.#at) };
    yield* this.attributes();
  }

  #declaration(): Token {
    const rest = this.#text.slice(this.#at, this.#at + 7).toUpperCase();
    if (rest === "DOCTYPE") return { kind: "doctype", text: this.#take(">") };
    if (rest === "[CDATA[") return { kind: "other", text: this.#take("]]>") };
    if (!rest.startsWith("--")) return { kind: "comment", text: this.#take(">") };
    const start = this.#at + 2;
    endOfComment.lastIndex = start;
    const end = endOfComment.exec(this.#text);
    this.#at = end === null ? this.#text.length : endOfComment.lastIndex;
    // As in libinjection, a comment that `--!>` ends has the first hyphen of its end.
    const hyphens = end?.[0] === "--!>" ? 1 : 0;
    return { kind: "comment", text: this.#text.slice(start, end === null ? undefined : end.index + hyphens) };
  }

  #value(): string {
    const quote = this.#peek();
    if (quote === "'" || quote === '"' || quote === "`") return this.quotedValue(quote, this.#at + 1);
    const start = this.#at;
    this.#until(endOfValue);
    return this.#text.slice(start, this.#at);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && blank.test(this.#peek())) this.#at += 1;
  }

  #until(ends: RegExp): void {
    ends.lastIndex = this.#at;
    this.#at = ends.test(this.#text) ? ends.lastIndex - 1 : this.#text.length;
  }

  #take(end: string): string {
    const start = this.#at;
    const found = this.#text.indexOf(end, start);
    this.#at = found < 0 ? this.#text.length : found + end.length;
    return this.#text.slice(start, found < 0 ? undefined : found);
  }
}
