import { Text } from "@mantine/core";

import { OutcomeBadge } from "./outcome-badge.tsx";

export interface ActingRule {
  /** As the API writes it. */
  readonly action: string;
  readonly name: string;
  readonly score?: number | undefined;
}

/** What a version of the managed rules did with a request, and by which rule; undefined where it let it pass. */
export function Acted({ rule }: { readonly rule: ActingRule | undefined }) {
  if (rule === undefined)
    return (
      <Text size="sm" c="dimmed">
        Passed
      </Text>
    );
  return (
    <>
      <OutcomeBadge action={rule.action} />
      <Text size="xs" c="dimmed" mt={2}>
        {rule.name}
        {rule.score !== undefined && `, score ${rule.score}`}
      </Text>
    </>
  );
}
