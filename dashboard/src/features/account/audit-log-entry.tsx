import { Code, SimpleGrid, Stack, Table, Text } from "@mantine/core";

import type { AuditLog } from "../../../../src/resources/audit-logs/schema.ts";
import { Copied } from "../../components/copied.tsx";
import { Facts } from "../../components/facts.tsx";
import { dateAndTime } from "../../components/timestamp.tsx";
import { changedFields } from "./audit-sentence.ts";

/** Everything of one entry: what the thing was, and what it is since. */
export function AuditLogEntry({ entry }: { readonly entry: AuditLog }) {
  const { id, action, resource, metadata, oldValueJson, newValueJson, when } = entry;
  const more = Object.entries(metadata).map(([name, value]) => [
    name.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return (
    <Stack>
      <Facts
        facts={{
          Time: dateAndTime(when),
          Action: <Code>{action.type}</Code>,
          "Entry id": <Copied value={id} what="the id of the entry" />,
          "Resource id": <Copied value={resource.id} what="the id of what was changed" />,
          ...(Object.fromEntries(more) as Record<string, string>),
        }}
      />
      <Changes changes={changedFields(oldValueJson, newValueJson)} />
      <details>
        <Text component="summary" size="sm" mb="xs">
          All fields, before and after
        </Text>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Value title="Before" value={oldValueJson} />
          <Value title="After" value={newValueJson} />
        </SimpleGrid>
      </details>
    </Stack>
  );
}

/** The fields that have another value now. */
function Changes({ changes }: { readonly changes: ReturnType<typeof changedFields> }) {
  if (changes.length === 0) return undefined;
  return (
    <Table aria-label="Changed fields" verticalSpacing={4} withTableBorder bg="var(--mantine-color-body)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="25%">Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td>{field}</Table.Td>
            <Table.Td className="monospace">{before !== undefined && <del>{before}</del>}</Table.Td>
            <Table.Td className="monospace">{after !== undefined && <ins>{after}</ins>}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {value === null || value === undefined ? (
        <Text size="sm" c="dimmed">
          None
        </Text>
      ) : (
        <Code block tabIndex={0} role="region" aria-label={title} mah={320}>
          {JSON.stringify(value, undefined, 2)}
        </Code>
      )}
    </div>
  );
}
