import { Code, SimpleGrid, Stack, Text } from "@mantine/core";

import type { AuditLog } from "../../api/audit-logs.ts";
import { Facts } from "../../components/facts.tsx";

/** Everything of one entry: what the thing was, and what it is since. */
export function AuditLogEntry({ entry }: { readonly entry: AuditLog }) {
  const { id, resource, metadata, oldValueJson, newValueJson, when } = entry;
  const more = Object.entries(metadata).map(([name, value]) => [
    name.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return (
    <Stack>
      <Facts
        facts={{
          Time: when,
          "Entry id": id,
          "Resource id": resource.id,
          ...(Object.fromEntries(more) as Record<string, string>),
        }}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Value title="Before" value={oldValueJson} />
        <Value title="After" value={newValueJson} />
      </SimpleGrid>
    </Stack>
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
