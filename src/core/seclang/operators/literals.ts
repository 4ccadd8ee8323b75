import { lowerAscii } from "../../expression/byte-string.ts";

/**
 * Texts in lower case of which at least one stands in whatever a pattern matches; undefined where none can be told. A value
 * without any of them need not be matched at all.
 */
export function requiredLiterals(pattern: string): readonly string[] | undefined {
  const { exact, required } = new Reader(pattern).read();
  return better(usable(exact), required);
}

/** What is known of the texts that a part of a pattern matches. */
interface Known {
  /** All of them. */
  readonly exact: readonly string[] | undefined;
  /** Texts of which each of them has one. */
  readonly required: readonly string[] | undefined;
}

const nothing: Known = { exact: undefined, required: undefined };
const empty: Known = { exact: [""], required: undefined };
const exactMax = 48;
const requiredMax = 400;
const lengthMin = 2;
const lengthMax = 24;
const classMax = 6;

const quantifier = /(?:([*?])|(\+)|\{(\d+)(?:,\d*)?\})[?+]?/y;
const group = /\((?:\?(?:(:)|(P?<[A-Za-z_]\w*>)|([=!]|<[=!])|(>)|[a-z]*(?:-[a-z]*)?([:)])))?/y;
const escape = /\\(?:x(?:\{([0-9a-fA-F]{1,2})\}|([0-9a-fA-F]{2}))|([^]))/y;
const posix = /\[:\^?\w+:\]/y;

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Known {
    return this.#alternatives();
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  /** Reads as far as a closing parenthesis or the end. */
  #alternatives(): Known {
    const branches = [this.#sequence()];
    while (this.#pattern[this.#at] === "|") {
      this.#at += 1;
      branches.push(this.#sequence());
    }
    return anyOf(branches);
  }

  #sequence(): Known {
    let run: readonly string[] = [""];
    let required: readonly string[] | undefined;
    let isWhole = true;
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern.charAt(this.#at))) {
      const part = this.#repeated(this.#element());
      const joined = part.exact && joinedWith(run, part.exact);
      required = better(required, part.required);
      if (joined === undefined) {
        required = better(required, better(usable(run), usable(part.exact)));
        isWhole = false;
      }
      run = joined ?? part.exact ?? [""];
    }
    return { exact: isWhole ? run : undefined, required: better(required, usable(run)) };
  }

  #repeated(part: Known): Known {
    const [found, optional, , least] = this.#take(quantifier) ?? [];
    if (found === undefined) return part;
    if (optional === "*" || least === "0") return nothing;
    if (optional === "?") return { exact: part.exact && limited(["", ...part.exact]), required: undefined };
    return { exact: undefined, required: better(usable(part.exact), part.required) };
  }

  #element(): Known {
    const opened = this.#take(group);
    if (opened !== undefined) return this.#group(opened);
    if (this.#pattern[this.#at] === "[") return this.#class();
    const escaped = this.#take(escape);
    if (escaped !== undefined) return ofEscape(escaped);
    const character = this.#pattern.charAt(this.#at);
    this.#at += 1;
    if (character === ".") return nothing;
    if (character === "^" || character === "$") return empty;
    return { exact: [lowerAscii(character)], required: undefined };
  }

  #group([, , , lookAround, , flags]: RegExpExecArray): Known {
    // `(?i)` opens nothing.
    if (flags === ")") return empty;
    const inner = this.#alternatives();
    this.#at += 1;
    return lookAround === undefined ? inner : empty;
  }

  #class(): Known {
    this.#at += 1;
    const members = new Set<string>();
    let isSmall = this.#pattern[this.#at] !== "^";
    if (!isSmall) this.#at += 1;
    for (let first = true; this.#at < this.#pattern.length; first = false) {
      if (this.#pattern[this.#at] === "]" && !first) break;
      if (this.#take(posix) !== undefined) {
        isSmall = false;
        continue;
      }
      const escaped = this.#take(escape);
      const member = escaped === undefined ? this.#pattern.charAt(this.#at) : ofEscape(escaped).exact?.[0];
      if (escaped === undefined) this.#at += 1;
      if (member === undefined || (this.#pattern[this.#at] === "-" && this.#pattern[this.#at + 1] !== "]"))
        isSmall = false;
      else members.add(lowerAscii(member));
    }
    this.#at += 1;
    return isSmall && members.size <= classMax ? { exact: [...members], required: undefined } : nothing;
  }
}

function ofEscape([, braced, digits, character = ""]: RegExpExecArray): Known {
  const hex = braced ?? digits;
  if (hex !== undefined) return one(String.fromCharCode(Number.parseInt(hex, 16)));
  if ("bBAzZG".includes(character)) return empty;
  const control = { n: "\n", r: "\r", t: "\t", v: "\v", f: "\f", a: "\u0007", e: "\u001b" }[character];
  if (control !== undefined) return one(control);
  return /\w/.test(character) ? nothing : one(character);
}

function one(text: string): Known {
  return { exact: [lowerAscii(text)], required: undefined };
}

function joinedWith(starts: readonly string[], ends: readonly string[]): readonly string[] | undefined {
  if (starts.length * ends.length > exactMax) return undefined;
  return limited(starts.flatMap((start) => ends.map((end) => start + end)));
}

function anyOf(branches: readonly Known[]): Known {
  if (branches.length === 1) return branches[0] ?? empty;
  const exact = branches.every((branch) => branch.exact !== undefined)
    ? limited(branches.flatMap((branch) => branch.exact ?? []))
    : undefined;
  const each = branches.map((branch) => better(usable(branch.exact), branch.required));
  const all = each.flatMap((texts) => texts ?? []);
  const required = each.includes(undefined) || all.length > requiredMax ? undefined : [...new Set(all)];
  return { exact, required };
}

function limited(texts: readonly string[]): readonly string[] | undefined {
  const distinct = [...new Set(texts)];
  return distinct.length > exactMax || distinct.some((text) => text.length > lengthMax)
    ? undefined
    : distinct;
}

/** A set tells something if none of its texts is in most values. */
function usable(texts: readonly string[] | undefined): readonly string[] | undefined {
  return texts !== undefined && texts.length > 0 && texts.every(isTelling) ? texts : undefined;
}

function isTelling(text: string): boolean {
  return text.length >= lengthMin || /^[^\w\s./=&-]$/.test(text) || /^[\r\n\0]$/.test(text);
}

/** Of two sets the one that fewer values have: longer texts first, then fewer. */
function better(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const [length, otherLength] = [shortest(first), shortest(second)];
  if (length !== otherLength) return length > otherLength ? first : second;
  return first.length <= second.length ? first : second;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}
