import { ExpressionError, type Span } from "./expression-error.ts";

// Tabs do not count as space: their width in error messages is undefined.
const space = /[ \r\n]*/y;

/** Reads the text of an expression without surrounding white space. */
export class Reader {
  readonly source: string;
  readonly end: number;
  position: number;

  constructor(source: string) {
    this.source = source;
    this.end = source.trimEnd().length;
    this.position = Math.min(this.end, source.length - source.trimStart().length);
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  peek(distance = 0): string {
    const at = this.position + distance;
    return at < this.end ? this.source.charAt(at) : "";
  }

  startsWith(text: string): boolean {
    return this.position + text.length <= this.end && this.source.startsWith(text, this.position);
  }

  take(text: string): boolean {
    const found = this.startsWith(text);
    if (found) this.position += text.length;
    return found;
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.error(`expected literal ${JSON.stringify(text)}`);
  }

  /** Consumes and returns the match of a sticky pattern. Throws `expected NAME`. */
  takeWhile(pattern: RegExp, name: string): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0].slice(0, this.end - this.position) ?? "";
    if (found === "") throw this.error(`expected ${name}`);
    this.position += found.length;
    return found;
  }

  /** Consumes one code point. Empty at the end. */
  takeCharacter(): string {
    const code = this.isAtEnd ? undefined : this.source.codePointAt(this.position);
    const character = code === undefined ? "" : String.fromCodePoint(code);
    this.position += character.length;
    return character;
  }

  skipSpace(): void {
    space.lastIndex = this.position;
    space.exec(this.source);
    this.position = Math.min(this.end, space.lastIndex);
  }

  spanFrom(start: number): Span {
    return { start, end: this.position };
  }

  /** An error for a part of the text; by default the rest. */
  error(reason: string, start = this.position, end = this.end): ExpressionError {
    return new ExpressionError(this.source, { start, end }, reason);
  }
}
