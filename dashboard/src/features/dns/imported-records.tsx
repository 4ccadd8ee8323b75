import { Alert, Group, ScrollArea, Stack, Table, Text } from "@mantine/core";

import type { ImportPreview } from "./import-preview.ts";

/** Rows that a preview shows; it counts all. */
const rowsMax = 200;

/** What an import would add, and what it would pass over; or the line that keeps it from being read. */
export function ImportedRecords({ preview }: { readonly preview: ImportPreview }) {
  if ("issue" in preview)
    return (
      <Alert color="red" title={`Line ${preview.issue.line} is not valid`} role="alert">
        {preview.issue.message}
      </Alert>
    );
  const { added, kept } = preview;
  return (
    <Stack gap="xs">
      <Group gap="lg" role="status">
        <Text size="sm" fw={600}>
          {added.length === 0 ? "Nothing to add" : `${added.length} to add`}
        </Text>
        {kept.length > 0 && (
          <Text size="sm" c="dimmed">
            {kept.length} already there
          </Text>
        )}
      </Group>
      {added.length > 0 && (
        <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Table aria-label="Records to add" withTableBorder verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                <Table.Th>Type</Table.Th>
                <Table.Th>Name</Table.Th>
                <Table.Th>Content</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {added.slice(0, rowsMax).map(({ line, type, name, content, priority }) => (
                <Table.Tr key={line}>
                  <Table.Td c="dimmed">{line}</Table.Td>
                  <Table.Td fw={600}>{type}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td className="monospace">
                    {priority !== undefined && `${priority} `}
                    {content}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      {added.length > rowsMax && (
        <Text size="sm" c="dimmed">
          … and {added.length - rowsMax} more
        </Text>
      )}
    </Stack>
  );
}
