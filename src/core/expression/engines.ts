/**
 * Compiles regular expressions of users; matching takes time linear in the text. It lives outside the core.
 * Compiled patterns may own memory until `free`.
 */
export interface RegexEngine {
  /** Throws PatternError for an invalid or large pattern. */
  readonly compile: (pattern: string) => Regex;
}

export interface Regex {
  readonly isMatch: (bytes: string) => boolean;
  /** Replaces the first match; `${1}` is the first group, `$$` a dollar sign. */
  readonly replaceFirst: (bytes: string, replacement: string) => string;
  readonly free: () => void;
  readonly octets: number;
}

export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Receives the patterns of an expression while parsing. */
export interface PatternTaker {
  readonly take: (pattern: string) => void;
}

/** The patterns of one expression, each compiled once and freed together. */
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

  get(pattern: string): Regex {
    if (this.#isFree) throw new Error("these patterns were freed");
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = this.#engine.compile(pattern);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  get octets(): number {
    return this.#compiled.values().reduce((sum, { octets }) => sum + octets, 0);
  }

  free(): void {
    this.#isFree = true;
    for (const regex of this.#compiled.values()) regex.free();
    this.#compiled.clear();
  }
}

/** Hash functions outside the core, on byte strings. */
export interface HashEngine {
  readonly sha256: (bytes: string) => string;
  /** HMAC with SHA-256 (RFC 2104). */
  readonly hmacSha256: (key: string, bytes: string) => string;
}
