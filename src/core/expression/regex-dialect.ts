import { encodeText, textOfCodes } from "./byte-string.ts";
import { PatternError } from "./engines.ts";

/**
 * The language uses the dialect of Rust's `regex` on octets, without Unicode: `\w`, `\d`, `\s`, `\b` are
 * ASCII, `.` and negated classes match one octet. For an engine on Unicode text patterns are translated: one
 * character per octet, ASCII unchanged, others from U+E080 to U+E0FF, which have no other case.
 */
export interface Translation {
  readonly pattern: string;
  /** The haystack: the octets, or their text in UTF-8 if the pattern enables Unicode. */
  readonly haystack: "octets" | "text";
  /** Approximate number of compiled parts, with repetitions expanded. */
  readonly parts: number;
}

const characterBase = 0xe000;

export function toCharacters(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  return textOfCodes(bytes.length, (at) => {
    const octet = bytes.charCodeAt(at);
    return octet > 0x7f ? characterBase + octet : octet;
  });
}

export function fromCharacters(text: string): string {
  if (!/[\ue080-\ue0ff]/.test(text)) return text;
  return textOfCodes(text.length, (at) => {
    const code = text.charCodeAt(at);
    return code > characterBase ? code - characterBase : code;
  });
}

function octetInPattern(octet: number): string {
  const digits = (octet > 0x7f ? characterBase + octet : octet).toString(16);
  return String.raw`\x{${digits}}`;
}

/** Throws PatternError for Unicode features without the flag. Invalid patterns stay invalid. */
export function translatePattern(pattern: string): Translation {
  const isUnicode = unicodeFlag.test(pattern);
  const translator = new Translator(pattern, isUnicode);
  const { translated, parts } = translator.translate();
  return isUnicode
    ? { pattern, haystack: "text", parts }
    : { pattern: translated, haystack: "octets", parts };
}

const perlClasses: Readonly<Record<string, string>> = {
  d: "[0-9]",
  D: "[^0-9]",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_]",
  s: String.raw`[\t\n\v\f\r ]`,
  S: String.raw`[^\t\n\v\f\r ]`,
};

const caselessFlag = /\(\?[a-zA-Z]*i/;
const unicodeFlag = /\(\?[a-tv-zA-Z]*u[a-zA-Z]*(?:-[a-zA-Z]*)?[:)]/;
const flagGroup = /\(\?([a-zA-Z]*)(-[a-zA-Z]*)?([:)])/y;
const groupName = /\(\?P?<[^>]*>?/y;
const comment = /#[^\n]*/y;
const boundary = /\\(?:b\{(?:start|end)(?:-half)?\}|[bB<>])/y;
const octetEscape = /\\x([0-9A-Fa-f]{2})/y;
const characterEscape = /\\(?:[xuU]\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/y;
const unicodeClass = /\\[pP](?:\{[^{}\\]*\}|[^{])/y;
const posixClass = /\[:\^?[a-z]+:\]/y;
const repetition = /\{\s*(?:([0-9]+)\s*)?(?:,\s*(?:([0-9]+)\s*)?)?\}/y;
const characterMax = 0x10_ffff;

/** Number of compiled parts of each element; Unicode classes are large. */
const partsOf = { literal: 1, character: 4, class: 4, negated: 8, any: 5, unicodeClass: 400 } as const;

class Translator {
  readonly #pattern: string;
  #at = 0;
  #output = "";
  #brackets = 0;
  /** For the pattern and each open group, whether white space and comments are ignored. */
  readonly #verbose = [false];
  readonly #isUnicode: boolean;
  readonly #size = new PatternSize();

  constructor(pattern: string, isUnicode: boolean) {
    this.#pattern = pattern;
    this.#isUnicode = isUnicode;
  }

  translate(): { readonly translated: string; readonly parts: number } {
    while (this.#at < this.#pattern.length) {
      if (this.#brackets > 0) this.#inBrackets();
      else this.#outside();
    }
    const parts = this.#size.total() * (caselessFlag.test(this.#pattern) ? 2 : 1);
    return { translated: this.#output, parts };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  #copy(length: number): void {
    this.#output += this.#pattern.slice(this.#at, this.#at + length);
    this.#at += length;
  }

  #outside(): void {
    const character = this.#pattern.charAt(this.#at);
    if (character === "\\") return this.#escape();
    if (character === "[") return this.#open();
    if (character === "(") return this.#group();
    if (character === ")") return this.#closeGroup();
    if (character === "{" && this.#repeat()) return;
    if (this.#verbose.at(-1) === true && (character === "#" || character.trim() === "")) {
      if (this.#take(comment) === undefined) this.#copy(1);
      return;
    }
    if (character > "\x7f") return this.#literal(this.#pattern.codePointAt(this.#at) ?? 0);
    if (!"*+?|^$".includes(character)) this.#size.add(character === "." ? partsOf.any : partsOf.literal);
    this.#copy(1);
  }

  #closeGroup(): void {
    if (this.#verbose.length > 1) this.#verbose.pop();
    this.#size.close();
    this.#copy(1);
  }

  #repeat(): boolean {
    const found = this.#take(repetition);
    if (found === undefined) return false;
    const [text, least = 0, most = 0] = found;
    this.#size.repeat(Math.max(1, Number(least), Number(most)));
    this.#output += text;
    return true;
  }

  #group(): void {
    const name = this.#take(groupName);
    if (name !== undefined) {
      this.#verbose.push(this.#verbose.at(-1) === true);
      this.#size.open();
      this.#output += name[0];
      return;
    }
    const flags = this.#take(flagGroup);
    if (flags === undefined) {
      this.#verbose.push(this.#verbose.at(-1) === true);
      this.#size.open();
      return this.#copy(1);
    }
    const [, on = "", off = "", end] = flags;
    const isVerbose = (on.includes("x") || this.#verbose.at(-1) === true) && !off.includes("x");
    if (end === ":") {
      this.#verbose.push(isVerbose);
      this.#size.open();
    } else this.#verbose[this.#verbose.length - 1] = isVerbose;
    const without = off.replaceAll("u", "");
    const kept = on + (without === "-" && off !== "-" ? "" : without);
    this.#output += kept === "" && end === ")" && off !== "" ? "(?:)" : `(?${kept}${end}`;
  }

  #escape(): void {
    const found = this.#take(boundary);
    if (found !== undefined) {
      this.#size.add(partsOf.literal);
      this.#output += `(?-u:${found[0]})`;
      return;
    }
    if (this.#octet()) {
      this.#size.add(partsOf.literal);
      return;
    }
    const { code, length } = this.#characterEscape();
    if (code !== undefined && code > 0x7f && code <= characterMax) return this.#literal(code, length);
    this.#classOrOther();
  }

  #octet(): boolean {
    const found = this.#take(octetEscape);
    if (found === undefined) return false;
    this.#output += octetInPattern(Number.parseInt(found[1] ?? "", 16));
    return true;
  }

  #classOrOther(): void {
    const start = this.#at;
    if (this.#take(unicodeClass) !== undefined) {
      if (!this.#isUnicode) throw this.#unicodeNotAllowed(start);
      return this.#size.add(partsOf.unicodeClass);
    }
    const letter = this.#pattern.charAt(this.#at + 1);
    const perlClass = perlClasses[letter];
    if (perlClass === undefined) {
      this.#size.add(partsOf.literal);
      return this.#copy(2);
    }
    const parts = letter < "a" ? partsOf.negated : partsOf.class;
    this.#size.add(this.#isUnicode ? partsOf.unicodeClass : parts);
    this.#at += 2;
    this.#output += perlClass;
  }

  /** The code point and the length of the escape at the position. */
  #characterEscape(): { readonly code: number | undefined; readonly length: number } {
    characterEscape.lastIndex = this.#at;
    const found = characterEscape.exec(this.#pattern);
    if (found === null) return { code: undefined, length: 0 };
    const digits = found[1] ?? found[2] ?? found[3] ?? "";
    return { code: Number.parseInt(digits, 16), length: found[0].length };
  }

  /** A character above ASCII as its UTF-8 octets, grouped for repetition. */
  #literal(code: number, length = code > 0xffff ? 2 : 1): void {
    this.#at += length;
    this.#size.add(partsOf.character);
    const octets = Array.from(encodeText(String.fromCodePoint(code)), (octet) =>
      octetInPattern(octet.charCodeAt(0)),
    );
    this.#output += `(?:${octets.join("")})`;
  }

  #open(): void {
    if (this.#brackets === 0) this.#size.open();
    this.#brackets += 1;
    this.#copy(1);
    const isNegated = this.#pattern.charAt(this.#at) === "^";
    this.#size.add(isNegated ? partsOf.negated : partsOf.class);
    if (isNegated) this.#copy(1);
    if (this.#pattern.charAt(this.#at) === "]") this.#copy(1);
  }

  #inBrackets(): void {
    const posix = this.#take(posixClass);
    if (posix !== undefined) {
      this.#output += posix[0];
      return;
    }
    const character = this.#pattern.charAt(this.#at);
    if (character === "[") return this.#open();
    if (character === "]") {
      this.#brackets -= 1;
      if (this.#brackets === 0) this.#size.close();
    }
    if (character > "\x7f" && !this.#isUnicode) {
      const start = this.#at;
      this.#at += (this.#pattern.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      throw this.#unicodeNotAllowed(start);
    }
    if (character !== "\\") return this.#copy(1);
    if (this.#octet()) return;
    const { code, length } = this.#characterEscape();
    if (code !== undefined && code > 0x7f && code <= characterMax && !this.#isUnicode) {
      const start = this.#at;
      this.#at += length;
      throw this.#unicodeNotAllowed(start);
    }
    this.#classOrOther();
  }

  /** An error in the form of the engine's errors. */
  #unicodeNotAllowed(start: number): PatternError {
    const caret = `${" ".repeat(start)}${"^".repeat(Math.max(1, this.#at - start))}`;
    return new PatternError(
      `regex parse error:\n    ${this.#pattern}\n    ${caret}\nerror: Unicode not allowed here`,
    );
  }
}

/** Counts the parts of the open groups and of the last element, which a repetition multiplies. */
class PatternSize {
  readonly #open: number[] = [];
  #sum = 0;
  #last = 0;

  add(parts: number): void {
    this.#sum += parts;
    this.#last = parts;
  }

  open(): void {
    this.#open.push(this.#sum);
    this.#sum = 0;
    this.#last = 0;
  }

  close(): void {
    const inner = this.#sum;
    this.#sum = this.#open.pop() ?? 0;
    this.add(Math.max(1, inner));
  }

  repeat(times: number): void {
    this.#sum += this.#last * (times - 1);
    this.#last *= times;
  }

  total(): number {
    return this.#sum + this.#open.reduce((sum, parts) => sum + parts, 0);
  }
}
