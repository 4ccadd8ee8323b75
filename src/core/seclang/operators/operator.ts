import { lowerAscii } from "../../expression/byte-string.ts";
import { isVariable, type Variable } from "../parse/targets.ts";

/** Returns the current value of a variable: the entry with that name, or without a name the first entry. */
export type ReadVariable = (variable: Variable, name: string | undefined) => string | undefined;

/** A text with `%{...}` macros, ready to be expanded. */
export type Macro = (read: ReadVariable) => string;

/** Compiles a text with macros such as `%{tx.score}` or `%{MATCHED_VAR}`; unknown ones expand to nothing. */
export function compileMacro(text: string): Macro {
  const pieces = text.split(/%\{([^}]*)\}/);
  if (pieces.length === 1) return () => text;
  const parts = pieces.map((piece, index) => (index % 2 === 0 ? () => piece : compileReference(piece)));
  return (read) => parts.map((part) => part(read)).join("");
}

function compileReference(text: string): Macro {
  const [written = "", ...rest] = text.split(/[.:]/);
  const variable = written.toUpperCase();
  const name = rest.length === 0 ? undefined : lowerAscii(rest.join("."));
  return isVariable(variable) ? (read) => read(variable, name) ?? "" : () => "";
}

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
