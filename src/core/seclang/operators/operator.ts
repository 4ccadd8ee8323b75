import type { ReadVariable } from "../evaluate/macro.ts";

/** What an operator found: the whole, and what its groups hold. */
export type Found = readonly (string | undefined)[];

/** Judges a byte string. Undefined where it does not match. */
export type Operator = (value: string, read: ReadVariable) => Found | undefined;

export interface CompiledOperator {
  readonly judge: Operator;
  /** Texts in lower case of which at least one stands in whatever it matches; undefined where none can be told. */
  readonly literals: readonly string[] | undefined;
}
