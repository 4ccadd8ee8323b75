import { Group, Text } from "@mantine/core";

import { CopyButton } from "./copy-button.tsx";

interface CopiedProps {
  readonly value: string;
  /** "the zone id" */
  readonly what: string;
  /** Whether all of it is shown, over several lines where it is long; else it ends with its line. */
  readonly isWhole?: boolean;
}

/** A text of machines with a button that copies it. */
export function Copied({ value, what, isWhole = false }: CopiedProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        component="code"
        size="sm"
        truncate={!isWhole}
        miw={0}
        {...(isWhole && { style: { overflowWrap: "anywhere" } })}
      >
        {value}
      </Text>
      <CopyButton value={value} what={what} />
    </Group>
  );
}
