export interface Location {
  readonly file: string;
  readonly line: number;
}

/** An error in a file of rules, or an unsupported feature of the language. */
export class SecLangError extends Error {
  override readonly name = "SecLangError";
  readonly location: Location;

  constructor(location: Location, message: string) {
    super(`${location.file}:${location.line}: ${message}`);
    this.location = location;
  }
}

export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** The name of a directive and its arguments, without their quotes. */
export interface Directive {
  readonly location: Location;
  readonly name: string;
  readonly words: readonly string[];
}

const word = /[^\s"]\S*|"(?:[^"\\]|\\[^])*"/y;
const blank = /\s*/y;

/**
 * Reads the directives of a file. A backslash at the end of a line continues it; a line that begins with `#`
 * is a comment. Throws SecLangError for an unclosed quote.
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

function readDirective(location: Location, text: string): Directive {
  const [name = "", ...words] = readWords(location, text);
  return { location, name, words };
}

function readWords(location: Location, text: string): string[] {
  const words: string[] = [];
  for (let at = endOf(blank, text, 0); at < text.length;) {
    const end = endOf(word, text, at);
    if (end === at) throw new SecLangError(location, "a quote is not closed");
    const read = text.slice(at, end);
    words.push(read.startsWith('"') ? read.slice(1, -1).replaceAll(String.raw`\"`, '"') : read);
    at = endOf(blank, text, end);
  }
  return words;
}

/** The end of the sticky expression's match at that position; the position itself if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** An action of a rule: `setvar:'tx.score=+5'` has the name `setvar` and the value `tx.score=+5`. */
export interface Action {
  readonly name: string;
  readonly value: string;
}

const action = /\s*([A-Za-z]+)(?::(?:'((?:[^'\\]|\\[^])*)'|([^,]*)))?\s*(?:,|$)/y;

/** Splits the list of actions of a rule. Throws SecLangError for a malformed one. */
export function parseActions(location: Location, text: string): Action[] {
  const actions: Action[] = [];
  action.lastIndex = 0;
  while (text.slice(action.lastIndex).trim() !== "") {
    const at = action.lastIndex;
    const [, name, quoted, plain = ""] = action.exec(text) ?? [];
    if (name === undefined) throw new SecLangError(location, `"${text.slice(at, at + 40)}" is not an action`);
    const value = quoted === undefined ? plain.trim() : quoted.replaceAll(String.raw`\'`, "'");
    actions.push({ name: name.toLowerCase(), value });
  }
  return actions;
}
