export class ZoneFileError extends Error {
  /** From 1; the first line of a record with several lines. */
  readonly line: number;
  /** The error code of `parseRdata`; undefined for other errors. */
  readonly code: number | undefined;

  constructor(line: number, message: string, code?: number) {
    super(message);
    this.name = "ZoneFileError";
    this.line = line;
    this.code = code;
  }
}

/** A record, a directive or a comment on a line of its own. */
export interface Entry {
  readonly line: number;
  readonly lastLine: number;
  /** Whether it begins in the first column, so that its first token is an owner or a directive. */
  readonly hasOwner: boolean;
  /** Unchanged, with quotes and escapes; none for a comment. */
  readonly tokens: readonly string[];
  /** The text of the entry, without its comment. */
  readonly source: string;
  /** The text behind the `;` on its last line. */
  readonly comment: string | undefined;
}

// 4096 octets as `\DDD` are 16,384 characters; the rest is room for white space and comments.
const entryLengthMax = 65_536;

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const openParenthesis = 40;
const closeParenthesis = 41;
const semicolon = 59;
const backslash = 92;

/**
 * A part that cannot be read as an entry: from the line where it begins to the one on which reading goes on no
 * further.
 */
interface BadEntry {
  readonly error: ZoneFileError;
  readonly lastLine: number;
}

/**
 * The entries of a master file (RFC 1035 section 5.1) in their order; blank lines are none. Parentheses join lines
 * and may be nested, a byte order mark and the CR of CRLF are ignored. The time is linear in the length of `text`.
 * Bad ones are those with open quotes, unbalanced parentheses or more than 65,536 characters; what follows is read
 * from the next line on.
 */
export function* readEntries(text: string): Generator<Entry | BadEntry, void, undefined> {
  const cursor: Cursor = { text, at: text.startsWith("\ufeff") ? 1 : 0, line: 1 };
  while (cursor.at < text.length) {
    try {
      const entry = readEntry(cursor);
      if (entry !== undefined) yield entry;
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      yield { error, lastLine: Math.max(cursor.line, error.line) };
      cursor.at = lineEnd(text, cursor.at) + 1;
      cursor.line += 1;
    }
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  /** From 1. */
  line: number;
}

/** The entry that begins at `cursor`, which moves behind it; undefined for a blank line. Throws ZoneFileError. */
function readEntry(cursor: Cursor): Entry | undefined {
  const { text, at: start, line: firstLine } = cursor;
  const tokens: string[] = [];
  let sourceEnd = -1;
  let comment: string | undefined;
  let depth = 0;

  for (let isOpen = true; isOpen;) {
    const { at } = cursor;
    if (tokens.length > 0 && at - start > entryLengthMax) {
      throw new ZoneFileError(firstLine, `The record is longer than ${entryLengthMax} characters.`);
    }
    const character = at < text.length ? text.charCodeAt(at) : newline;
    switch (character) {
      case space:
      case tab:
      case carriageReturn:
        cursor.at += 1;
        break;
      case openParenthesis:
        depth += 1;
        cursor.at += 1;
        break;
      case closeParenthesis:
        if (depth === 0) throw new ZoneFileError(cursor.line, "A closing parenthesis has no opening one.");
        depth -= 1;
        cursor.at += 1;
        break;
      case semicolon: {
        const end = lineEnd(text, at);
        comment = withoutCarriageReturn(text.slice(at + 1, end));
        sourceEnd = at;
        cursor.at = end;
        break;
      }
      case newline:
        if (depth > 0 && at >= text.length) {
          throw new ZoneFileError(firstLine, "An opening parenthesis has no closing one.");
        }
        isOpen = depth > 0;
        if (isOpen) comment = undefined;
        else if (comment === undefined) sourceEnd = at;
        cursor.at += 1;
        cursor.line += 1;
        break;
      default: {
        const end = tokenEnd(text, at, cursor.line);
        tokens.push(text.slice(at, end));
        cursor.at = end;
      }
    }
  }

  if (tokens.length === 0 && comment === undefined) return undefined;
  const source = withoutCarriageReturn(text.slice(start, sourceEnd));
  return {
    line: firstLine,
    lastLine: cursor.line - 1,
    hasOwner: !/^[ \t]/.test(source),
    tokens,
    source,
    comment,
  };
}

/** The end of a run of plain and quoted text; quotes and escapes end within their line. */
function tokenEnd(text: string, start: number, line: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        isQuoted = !isQuoted;
        break;
      case backslash:
        at += 1;
        if (at < text.length && text.charCodeAt(at) !== newline) break;
        throw new ZoneFileError(line, "An escape has no character after its backslash.");
      case newline:
        if (!isQuoted) return at;
        throw new ZoneFileError(line, "A quoted text has no closing quote.");
      case space:
      case tab:
      case carriageReturn:
      case openParenthesis:
      case closeParenthesis:
      case semicolon:
        if (!isQuoted) return at;
        break;
      default:
    }
  }
  if (isQuoted) throw new ZoneFileError(line, "A quoted text has no closing quote.");
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function withoutCarriageReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
