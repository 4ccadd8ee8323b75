import { ExpressionError, type Span } from "./expression-error.ts";

// Tabs are not space: they have no fixed width in an error message.
const space = /[ \r\n]*/y;

/** Reads the text of an expression character by character, without the white space around it. */
export class Reader {
  readonly source: string;
  /** The index after the last character. */
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

  /** The UTF-16 unit at a distance from the position; empty after the end. */
  peek(distance = 0): string {
    const at = this.position + distance;
    return at < this.end ? this.source.charAt(at) : "";
  }

  startsWith(text: string): boolean {
    return this.position + text.length <= this.end && this.source.startsWith(text, this.position);
  }

  /** Consumes a text if it is next. */
  take(text: string): boolean {
    const found = this.startsWith(text);
    if (found) this.position += text.length;
    return found;
  }

  /** Consumes a text. Throws if another is next. */
  expect(text: string): void {
    if (!this.take(text)) throw this.error(`expected literal ${JSON.stringify(text)}`);
  }

  /** Consumes and answers the match of a sticky pattern. Throws `expected NAME` if there is none. */
  takeWhile(pattern: RegExp, name: string): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0].slice(0, this.end - this.position) ?? "";
    if (found === "") throw this.error(`expected ${name}`);
    this.position += found.length;
    return found;
  }

  /** Consumes one character, which may be two units. Empty after the end. */
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

  /** From a start to the position. */
  spanFrom(start: number): Span {
    return { start, end: this.position };
  }

  /** An error for the text between two places; by default from the position to the end. */
  error(reason: string, start = this.position, end = this.end): ExpressionError {
    return new ExpressionError(this.source, { start, end }, reason);
  }
}
