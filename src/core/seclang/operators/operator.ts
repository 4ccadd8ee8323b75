import type { ReadVariable } from "../evaluate/macro.ts";

/** The text that matched, followed by its capture groups. */
export type Found = readonly (string | undefined)[];

/** A compiled operator on byte strings. */
export interface Operator {
  readonly isMatch: (value: string, read: ReadVariable) => boolean;
  /** The captures in a value that matches. */
  readonly find: (value: string, read: ReadVariable) => Found;
  /** Lower-case literals at least one of which every matching value contains; undefined if none are known. */
  readonly literals?: readonly string[] | undefined;
}
