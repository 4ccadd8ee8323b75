import type { RequestContext, Value } from "../context.ts";
import type { Patterns } from "../regex-engine.ts";

/** A function with all its arguments but the first, which is undefined where a request has none. */
export type Apply = (first: Value | undefined, context: RequestContext) => Value | undefined;

/** How a function is called in one place of an expression. */
export interface CallSite {
  /** By position, the values of the arguments that are literals. */
  readonly literals: readonly (Value | undefined)[];
  /** The arguments behind the first. */
  readonly rest: readonly ((context: RequestContext) => Value | undefined)[];
  readonly patterns: Patterns;
}

/** Makes what a call site runs. The parser has seen to the number and the types of the arguments. */
export type Implementation = (site: CallSite) => Apply;
