import type { RequestContext, Value } from "../../context.ts";
import type { HashEngine, Patterns } from "../../engines.ts";

/** A function with all arguments but the first bound; `first` is undefined if missing. */
export type Apply = (first: Value | undefined, context: RequestContext) => Value | undefined;

export interface CallSite {
  /** The values of literal arguments, by position. */
  readonly literals: readonly (Value | undefined)[];
  readonly rest: readonly ((context: RequestContext) => Value | undefined)[];
  readonly patterns: Patterns;
  readonly hashes: HashEngine;
}

export type Implementation = (site: CallSite) => Apply;
