import { SecLangError, type Place } from "./seclang-error.ts";

/** A file of rules. */
export interface RuleFile {
  /** What errors call it. */
  readonly name: string;
  /** A byte string. */
  readonly text: string;
}

/** A name, and what follows it: words, or texts in quotes without these. */
export interface Directive {
  readonly place: Place;
  readonly name: string;
  readonly words: readonly string[];
}

const word = /[^\s"]\S*|"(?:[^"\\]|\\[^])*"/y;
const blank = /\s*/y;

/**
 * Reads the directives of a file. A line that ends with a backslash goes on in the next one; a line that begins with `#`
 * is a comment. Throws SecLangError for a quote without an end.
 */
export function readDirectives({ name: file, text }: RuleFile): Directive[] {
  const directives: Directive[] = [];
  let started: { readonly line: number; text: string } | undefined;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trimEnd();
    if (started === undefined && /^\s*(?:#|$)/.test(line)) continue;
    started ??= { line: index + 1, text: "" };
    if (line.endsWith("\\")) {
      started.text += line.slice(0, -1);
      continue;
    }
    directives.push(readDirective({ file, line: started.line }, started.text + line));
    started = undefined;
  }
  if (started !== undefined) directives.push(readDirective({ file, line: started.line }, started.text));
  return directives;
}

function readDirective(place: Place, text: string): Directive {
  const [name = "", ...words] = readWords(place, text);
  return { place, name, words };
}

function readWords(place: Place, text: string): string[] {
  const words: string[] = [];
  for (let at = endOf(blank, text, 0); at < text.length;) {
    const end = endOf(word, text, at);
    if (end === at) throw new SecLangError(place, "a quote is not closed");
    const read = text.slice(at, end);
    words.push(read.startsWith('"') ? read.slice(1, -1).replaceAll(String.raw`\"`, '"') : read);
    at = endOf(blank, text, end);
  }
  return words;
}

/** Where what the sticky expression finds at that position ends; the position itself where it finds nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
