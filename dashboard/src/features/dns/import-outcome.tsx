import { Button, Group, Stack, Text } from "@mantine/core";

import { LineTable } from "./line-table.tsx";
import { counted } from "../../components/counted.ts";
import type { LeftOut } from "./import-plan.ts";

export interface Outcome {
  readonly added: number;
  /** Records of the zone that were replaced. */
  readonly deleted: number;
  readonly leftOut: readonly LeftOut[];
  /** SOA and NS records of the zone's own name in the file. */
  readonly ownCount: number;
}

/** What an import has added, and what it has left out. */
export function ImportOutcome({
  outcome,
  onClose,
}: {
  readonly outcome: Outcome;
  readonly onClose: () => void;
}) {
  const { added, deleted, leftOut, ownCount } = outcome;
  return (
    <Stack>
      <Text fw={600} role="status">
        {counted(added, "record was", "records were")} added
        {deleted > 0 && `, ${deleted} replaced`}
        {leftOut.length > 0 && `, ${leftOut.length} left out`}.
      </Text>
      {ownCount > 0 && (
        <Text size="sm">
          The file has {counted(ownCount, "SOA or NS record", "SOA and NS records")} of the zone’s own name.
          Every zone has its own, so they were left out too.
        </Text>
      )}
      {leftOut.length > 0 && (
        <LineTable
          label="Left out"
          columns={["Record", "Why"]}
          rows={leftOut.map(({ line, text, reason }) => ({ line, cells: [text, reason] }))}
        />
      )}
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
