import { octetsOf } from "./byte-string.ts";

/** A part of a source text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * An invalid or disallowed expression. `message` is part of answers: the place, the line, carets under the
 * octets concerned, and the reason.
 */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** The last part of the message. */
  readonly reason: string;
  /** The whole source if it was too long to parse. */
  readonly span: Span;

  constructor(source: string, span: Span, reason: string, message = rendered(source, span, reason)) {
    super(message);
    this.reason = reason;
    this.span = span;
  }
}

export function tooLong(source: string, octets: number, octetsMax: number): ExpressionError {
  const reason = `expression size ${octets} exceeded maximum ${octetsMax}`;
  return new ExpressionError(source, { start: 0, end: source.length }, reason, reason);
}

function rendered(source: string, { start, end }: Span, reason: string): string {
  const before = source.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineBreak = source.indexOf("\n", start);
  const lineEnd = lineBreak === -1 ? source.length : lineBreak;
  const line = before.split("\n").length;
  const indent = octetsOf(source.slice(lineStart, start));
  const width = Math.max(1, octetsOf(source.slice(start, Math.min(end, lineEnd))));
  return [
    `Filter parsing error (${line}:${indent + 1}):`,
    source.slice(lineStart, lineEnd),
    `${" ".repeat(indent)}${"^".repeat(width)} ${reason}`,
    "",
  ].join("\n");
}
