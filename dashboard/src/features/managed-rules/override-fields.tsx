import { Group, NativeSelect } from "@mantine/core";

import type { OverrideChange } from "./overrides.ts";
import { actionName } from "./rule-summary.ts";

interface OverrideFieldsProps {
  /** Names the overridden rule for screen readers: "rule 100015". */
  readonly of: string;
  readonly value: Partial<OverrideChange>;
  readonly onChange: (change: OverrideChange) => void;
}

/** The actions that an override may give, by name. */
export const overrideActions = ["block", "managed_challenge", "js_challenge", "challenge", "log"].map(
  (action) => ({ value: action, label: capitalized(actionName(action)) }),
);
const statuses = [
  { value: "", label: "Default status" },
  { value: "true", label: "Enabled" },
  { value: "false", label: "Disabled" },
];

/** Action and status of an override, each of which may be left as it is. */
export function OverrideFields({ of, value: { action, enabled }, onChange }: OverrideFieldsProps) {
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label={`Action of ${of}`}
        data={[{ value: "", label: "Default action" }, ...overrideActions]}
        value={action ?? ""}
        onChange={(event) => onChange({ action: event.currentTarget.value || undefined, enabled })}
      />
      <NativeSelect
        size="xs"
        aria-label={`Status of ${of}`}
        data={statuses}
        value={enabled === undefined ? "" : String(enabled)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange({ action, enabled: value === "" ? undefined : value === "true" });
        }}
      />
    </Group>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
