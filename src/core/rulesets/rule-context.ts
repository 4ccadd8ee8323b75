import type { NamedLists } from "../lists/named-lists.ts";
import type { Phase } from "../expression/phases.ts";
import type { Action } from "./phases.ts";

/** `root` and `zone` are entry points of accounts and zones; rules of a `root` execute `custom` rulesets. */
export type RulesetKind = "managed" | "custom" | "root" | "zone";

/**
 * The purpose of an expression: a condition, a text, several texts, a scalar written as text, any value, or a
 * condition on responses.
 */
export type ExpressionUse = "filter" | "text" | "texts" | "scalar" | "value" | "count";

export interface RuleContext {
  readonly phase: Phase;
  readonly kind: RulesetKind;
  /** The error in an expression in the words of the API; undefined for none. */
  readonly issueIn: (expression: string, use: ExpressionUse) => string | undefined;
  readonly lists: NamedLists;
  /** A ruleset that rules may name: any version of a managed one, or the latest of the account's `custom` ones. */
  readonly findRuleset: (id: string, version: string) => NamedRuleset | undefined;
}

/** A ruleset that other rules execute, override or skip. */
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
  /** The score at which the rule acts; only the last rule of a scoring ruleset has one. */
  readonly score_threshold?: number;
}
