/**
 * Patterns of SecLang are written for PCRE, with `.` for any octet and `$` for the end alone. `translatePcre` writes them
 * in the dialect of Rust's `regex` on octets, which matches in linear time and knows no look-around and no references.
 */
export interface PcreTranslation {
  readonly pattern: string;
  /** Whether it has what only a backtracking engine can match. */
  readonly needsBacktracking: boolean;
}

const lookAround = /\(\?(?:[=!]|<[=!]|>)/y;
const reference = /\\(?:[1-9]|k[{<'])/y;
const quantifier = /(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?/y;
const posix = /\[:\^?\w+:\]/y;
const hex = /\\x(?:\{([0-9a-fA-F]{1,2})\}|([0-9a-fA-F]{2}))/y;
const octal = /\\(0[0-7]{0,2})/y;
const letter = /\\([A-Za-z])/y;

/** Escapes that mean the same in both dialects. */
const sameLetters = "bBdDwWsSnrtfvaAz";
const namedControls: Readonly<Record<string, string>> = {
  e: String.raw`\x1b`,
  h: String.raw`[\t ]`,
  R: String.raw`(?:\r\n|[\n-\r])`,
  Z: String.raw`\z`,
};

export function translatePcre(written: string): PcreTranslation {
  const translator = new Translator(written);
  return translator.translate();
}

class Translator {
  readonly #written: string;
  #at = 0;
  #output = "";
  #needsBacktracking = false;

  constructor(written: string) {
    this.#written = written;
  }

  translate(): PcreTranslation {
    while (this.#at < this.#written.length) {
      if (this.#written[this.#at] === "[") this.#class();
      else this.#outside();
    }
    return { pattern: `(?s)${this.#output}`, needsBacktracking: this.#needsBacktracking };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#written) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  #outside(): void {
    const group = this.#take(lookAround);
    if (group !== undefined) {
      this.#needsBacktracking = true;
      this.#output += group[0];
      return;
    }
    const times = this.#take(quantifier);
    if (times !== undefined) {
      // A possessive quantifier finds less than the greedy one only where the rest would give back.
      this.#output += times[0].length > 1 ? times[0].replace(/\+$/, "") : times[0];
      return;
    }
    if (this.#take(reference) !== undefined) {
      this.#needsBacktracking = true;
      this.#output += this.#written.slice(this.#at - 2, this.#at);
      return;
    }
    const character = this.#written.charAt(this.#at);
    if (character === "\\") return this.#escape(false);
    this.#at += 1;
    this.#output += character === "{" || character === "}" ? `\\${character}` : literal(character);
  }

  #class(): void {
    this.#at += 1;
    this.#output += "[";
    if (this.#written[this.#at] === "^") this.#copy();
    if (this.#written[this.#at] === "]") {
      this.#at += 1;
      this.#output += String.raw`\]`;
    }
    while (this.#at < this.#written.length && this.#written[this.#at] !== "]") {
      const named = this.#take(posix);
      if (named !== undefined) this.#output += named[0];
      else if (this.#written[this.#at] === "\\") this.#escape(true);
      else this.#member();
    }
    this.#copy();
  }

  #copy(): void {
    this.#output += this.#written.charAt(this.#at);
    this.#at += 1;
  }

  /** What Rust's dialect gives a meaning of its own inside of brackets is escaped. */
  #member(): void {
    const character = this.#written.charAt(this.#at);
    this.#at += 1;
    this.#output += "[&~".includes(character) ? `\\${character}` : literal(character);
  }

  #escape(isInClass: boolean): void {
    const code = this.#take(hex);
    if (code !== undefined) {
      this.#output += octetEscape(Number.parseInt(code[1] ?? code[2] ?? "", 16));
      return;
    }
    const octalCode = this.#take(octal);
    if (octalCode !== undefined) {
      this.#output += octetEscape(Number.parseInt(octalCode[1] ?? "", 8));
      return;
    }
    const [, name] = this.#take(letter) ?? [];
    if (name !== undefined) {
      // In a class `\b` is a backspace.
      if (isInClass && name === "b") this.#output += String.raw`\x08`;
      else this.#output += sameLetters.includes(name) ? `\\${name}` : (namedControls[name] ?? name);
      return;
    }
    const character = this.#written.charAt(this.#at + 1);
    this.#at += 2;
    // `\<` is the start of a word in Rust's dialect.
    this.#output += /[<>\x80-\xff'"/ ,;:=@%`!_]/.test(character) ? literal(character) : `\\${character}`;
  }
}

function literal(character: string): string {
  return character > "\x7f" ? octetEscape(character.charCodeAt(0)) : character;
}

function octetEscape(octet: number): string {
  return String.raw`\x${octet.toString(16).padStart(2, "0")}`;
}
