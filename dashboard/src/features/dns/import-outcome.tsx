import { Button, Group, ScrollArea, Stack, Table, Text } from "@mantine/core";

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

/** The result of an import: added records, and those that were left out. */
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

interface LineTableProps {
  readonly label: string;
  /** Headings beside that of the line number. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number | undefined; readonly cells: readonly string[] }[];
}

/** Rows that are shown; whoever shows them counts all. */
const rowsMax = 100;

/** Lines of a file, by their numbers. */
export function LineTable({ label, columns, rows }: LineTableProps) {
  return (
    <div>
      <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Table aria-label={label} withTableBorder verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <tbody>
            {rows.slice(0, rowsMax).map(({ line, cells }) => (
              <Table.Tr key={`${line} ${cells.join(" ")}`}>
                <Table.Td c="dimmed">{line}</Table.Td>
                {cells.map((cell, index) => (
                  <Table.Td key={columns[index]} style={{ overflowWrap: "anywhere" }}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </tbody>
        </Table>
      </ScrollArea.Autosize>
      {rows.length > rowsMax && (
        <Text size="sm" c="dimmed">
          … and {rows.length - rowsMax} more
        </Text>
      )}
    </div>
  );
}
