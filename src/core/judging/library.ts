import type { RequestContext } from "../expression/context.ts";
import type { FoundRedirect } from "../lists/redirect-index.ts";
import type { compileRewrite } from "../transforms/rewrite.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

/** Whether a request matches a stored expression. */
export type Meets = (expression: string, request: RequestContext) => boolean;

/** What compiling rules needs. */
export interface Library {
  readonly findRuleset: (id: string, version: string) => Ruleset | undefined;
  /** Whether the Core Rule Set decides which rules of the ruleset match; by default it does for none. */
  readonly isCoreRelease?: (ruleset: Ruleset) => boolean;
  readonly compile: (expression: string) => { readonly evaluate: (request: RequestContext) => boolean };
  readonly compileValue: Parameters<typeof compileRewrite>[1];
  /** The redirect of a list for a URL. */
  readonly redirectFor: (listName: string, url: string) => FoundRedirect | undefined;
}
