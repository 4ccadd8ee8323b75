import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { RuleLines } from "../rules/rule-lines.tsx";
import { describeOverrides, describeRule, type SummedUpRule } from "./rule-summary.ts";

interface RuleTextProps {
  readonly rule: SummedUpRule;
  /** Those whose names may be needed. */
  readonly rulesets: readonly RulesetHead[];
}

/** What a rule is, does and changes, and for which requests. */
export function RuleText({ rule, rulesets }: RuleTextProps) {
  const summary = describeRule(rule, rulesets);
  return (
    <RuleLines
      {...(rule.description === "" ? { title: summary } : { title: rule.description, summary })}
      expression={rule.expression}
      parameters={describeOverrides(rule)}
    />
  );
}
