import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

import { ApiCalls, type NamedCall } from "./api-calls.tsx";

interface PageHeaderProps {
  readonly title: string;
  /** Name of the zone or account that the page is about, above the title. */
  readonly of?: string | undefined;
  /** Beside the title, such as a status. */
  readonly aside?: ReactNode;
  readonly description?: ReactNode;
  readonly calls: readonly NamedCall[];
  /** Buttons of what can be done here. */
  readonly children?: ReactNode;
}

export function PageHeader({ title, of, aside, description, calls, children }: PageHeaderProps) {
  useDocumentTitle([title, ...(of === undefined ? [] : [of.split(" › ")[0]]), "Zoneward"].join(" · "));
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} flex="1 1 14rem" miw={0}>
        {of !== undefined && (
          <Text size="sm" c="dimmed" truncate>
            {of}
          </Text>
        )}
        <Group gap="sm">
          <Title order={1} tabIndex={-1} style={{ overflowWrap: "anywhere", outline: "none" }}>
            {title}
          </Title>
          {aside}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" size="sm" maw="42rem">
            {description}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        <ApiCalls calls={calls} />
        {children}
      </Group>
    </Group>
  );
}
