import { ExpressionError, type Span } from "./expression-error.ts";

// Not tabs: they have no width of their own in the message of an error.
const space = /[ \r\n]*/y;

/** Walks through the text of an expression. White space around it is never looked at. */
export class Reader {
  readonly source: string;
  /** Behind the last character that counts. */
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

  /** The UTF-16 unit at a distance from the position; empty behind the end. */
  peek(distance = 0): string {
    const at = this.position + distance;
    return at < this.end ? this.source.charAt(at) : "";
  }

  startsWith(text: string): boolean {
    return this.position + text.length <= this.end && this.source.startsWith(text, this.position);
  }

  /** Passes a text if it is next. */
  take(text: string): boolean {
    const found = this.startsWith(text);
    if (found) this.position += text.length;
    return found;
  }

  /** Passes a text. Throws when another is next. */
  expect(text: string): void {
    if (!this.take(text)) throw this.error(`expected literal ${JSON.stringify(text)}`);
  }

  /** Passes what matches a sticky pattern, and answers it. Throws `expected NAME` when nothing does. */
  takeWhile(pattern: RegExp, name: string): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0].slice(0, this.end - this.position) ?? "";
    if (found === "") throw this.error(`expected ${name}`);
    this.position += found.length;
    return found;
  }

  /** Passes one character, which may be two units. Empty behind the end. */
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

  /** An error between two places; from the position to the end where they are left out. */
  error(reason: string, start = this.position, end = this.end): ExpressionError {
    return new ExpressionError(this.source, { start, end }, reason);
  }
}
