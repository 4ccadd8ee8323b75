import { Switch } from "@mantine/core";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleBody } from "../../rule-phases.ts";
import { definitionOf } from "./rule-definition.ts";

interface EnabledSwitchProps {
  readonly rule: Rule;
  /** From 1 on. */
  readonly place: number;
  readonly isDisabled: boolean;
  readonly onChange: (definition: RuleBody) => void;
}

/** Turns a rule of a list on and off. */
export function EnabledSwitch({ rule, place, isDisabled, onChange }: EnabledSwitchProps) {
  return (
    <Switch
      aria-label={`Rule ${place} is enabled`}
      checked={rule.enabled}
      disabled={isDisabled}
      onChange={(event) => onChange({ ...definitionOf(rule), enabled: event.currentTarget.checked })}
    />
  );
}
