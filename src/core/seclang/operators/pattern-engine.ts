/** A compiled pattern, on byte strings. */
export interface Pattern {
  readonly isMatch: (bytes: string) => boolean;
  /** The first match and what its groups hold; undefined where there is none. */
  readonly find: (bytes: string) => readonly (string | undefined)[] | undefined;
}

/** Compiles patterns in the dialect of Rust's `regex` on octets; matching takes time linear in the text. */
export interface PatternEngine {
  /** Throws PatternError. */
  readonly compile: (pattern: string) => Pattern;
  /** For the few patterns with look-around. Never sees more than `backtrackedOctetsMax`. Throws PatternError. */
  readonly compileBacktracking: (pattern: string) => Pattern;
}

/** How much of a value a backtracking engine sees. */
export const backtrackedOctetsMax = 512;
