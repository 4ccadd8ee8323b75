import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { RuleLines } from "../rules/rule-lines.tsx";
import { describeOverrides, describeRule, type SummedUpRule } from "./rule-summary.ts";

interface RuleTextProps {
  readonly rule: SummedUpRule;
  readonly rulesets: readonly RulesetHead[];
}

/** The name, the effect and the expression of a rule. */
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
