import type { NamedLists } from "../lists/named-lists.ts";
import type { Phase } from "../expression/phases.ts";
import type { Action } from "./phases.ts";

/** `root` is the entry point of an account, `zone` that of a zone; `custom` is run by rules of a `root`. */
export type RulesetKind = "managed" | "custom" | "root" | "zone";

/**
 * What an expression is for: whether a rule applies, a text, several texts, a scalar that is written as text, any value, or
 * whether an answered request counts.
 */
export type ExpressionUse = "filter" | "text" | "texts" | "scalar" | "value" | "count";

/** What a rule is checked against. */
export interface RuleContext {
  readonly phase: Phase;
  readonly kind: RulesetKind;
  /** What is wrong with an expression, in the words of the API; undefined if nothing is. */
  readonly issueIn: (expression: string, use: ExpressionUse) => string | undefined;
  /** The lists that rules may name. */
  readonly lists: NamedLists;
  /**
   * A version of a ruleset that rules may name: any of a managed one, or the latest of a `custom` one of the same
   * account.
   */
  readonly findRuleset: (id: string, version: string) => NamedRuleset | undefined;
}

/** A ruleset as other rules see it: what they run, override and skip. */
export interface NamedRuleset {
  readonly id: string;
  readonly kind: RulesetKind;
  readonly phase: Phase;
  readonly rules: readonly NamedRule[];
}

interface NamedRule {
  readonly id: string;
  readonly action: Action;
  readonly categories?: readonly string[];
  /** The sum of scores from which the rule acts; only the last rule of a scoring ruleset has one. */
  readonly score_threshold?: number;
}
