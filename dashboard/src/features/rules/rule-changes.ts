import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleBody, RulePosition } from "../../rule-phases.ts";

export interface RuleChanges {
  readonly isPending: boolean;
  readonly onChange: (rule: Rule, change: RuleBody | RulePosition) => void;
  readonly onDelete: (rule: Rule) => void;
  /** Has it do something else than it does, or log first. */
  readonly onSwitch: (rule: Rule) => void;
  readonly editAddress: (rule: Rule) => string;
}
