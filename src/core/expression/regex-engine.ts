/**
 * Compiles regular expressions of users. It must take time linear in the text. It lives outside of the core, and
 * compiled patterns may own memory that only `free` releases.
 */
export interface RegexEngine {
  /** Throws a PatternError for an invalid pattern, or one that is too large. */
  readonly compile: (pattern: string) => Regex;
}

/** Takes and gives byte strings. */
export interface Regex {
  readonly isMatch: (bytes: string) => boolean;
  /** `bytes` with its first match replaced; `${1}` is the first group, `$$` a dollar sign. */
  readonly replaceFirst: (bytes: string, replacement: string) => string;
  readonly free: () => void;
}

/** Why a pattern is invalid, in the words of the engine. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Receives the patterns of an expression while it is parsed. */
export interface PatternTaker {
  /** Throws a PatternError. */
  readonly take: (pattern: string) => void;
}

/** The patterns of one expression, each compiled once. Its owner frees them together. */
export class Patterns implements PatternTaker {
  readonly #engine: RegexEngine;
  readonly #compiled = new Map<string, Regex>();
  #isFree = false;

  constructor(engine: RegexEngine) {
    this.#engine = engine;
  }

  take(pattern: string): void {
    this.get(pattern);
  }

  /** Throws a PatternError. */
  get(pattern: string): Regex {
    if (this.#isFree) throw new Error("these patterns were freed");
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = this.#engine.compile(pattern);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  /** The compiled patterns must not be used afterwards. Does nothing the second time. */
  free(): void {
    this.#isFree = true;
    for (const regex of this.#compiled.values()) regex.free();
    this.#compiled.clear();
  }
}
