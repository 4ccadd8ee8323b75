import type { ReadVariable } from "../evaluate/macro.ts";

/** What an operator found: the whole, and what its groups hold. */
export type Found = readonly (string | undefined)[];

/** Judges byte strings. */
export interface Operator {
  readonly isMatch: (value: string, read: ReadVariable) => boolean;
  /** What it found in a value that matches. */
  readonly find: (value: string, read: ReadVariable) => Found;
  /** Texts in lower case of which at least one stands in whatever it matches; undefined where none can be told. */
  readonly literals?: readonly string[] | undefined;
}
