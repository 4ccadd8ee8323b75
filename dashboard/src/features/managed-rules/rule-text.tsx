import { Badge, Group, Text } from "@mantine/core";

import type { RulesetHead } from "../../api/rulesets.ts";
import { describeOverrides, describeRule, type SummedUpRule } from "./rule-summary.ts";

interface RuleTextProps {
  readonly rule: SummedUpRule;
  /** Those whose names may be needed. */
  readonly rulesets: readonly RulesetHead[];
}

/** What a rule is, does and changes, and for which requests. */
export function RuleText({ rule, rulesets }: RuleTextProps) {
  const summary = describeRule(rule, rulesets);
  const overrides = describeOverrides(rule);
  return (
    <>
      <Text size="sm" fw={500}>
        {rule.description || summary}
      </Text>
      {rule.description !== "" && (
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {rule.expression === "true" ? (
          "All requests"
        ) : (
          <span className="monospace" lang="zxx">
            {rule.expression}
          </span>
        )}
      </Text>
      {overrides.length > 0 && (
        <Group gap={6} mt={4}>
          {overrides.map((override) => (
            <Badge key={override} size="sm" variant="light" color="gray" tt="none" fw={500}>
              {override}
            </Badge>
          ))}
        </Group>
      )}
    </>
  );
}
