import { Box, Card, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

import { ColorSchemeToggle } from "../../components/color-scheme-toggle.tsx";
import classes from "./session-card.module.css";

/** The frame of the pages before a session: one card in the middle. */
export function SessionCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(`${title} · Zoneward`);
  return (
    <Box component="main" className={classes.page ?? ""}>
      <Stack gap="lg" w="100%" maw={400}>
        <Group justify="space-between">
          <Group gap="xs">
            <img src="/zoneward.svg" alt="" width={32} height={32} />
            <span className={classes.brand}>Zoneward</span>
          </Group>
          <ColorSchemeToggle />
        </Group>
        <Card withBorder shadow="sm" padding="xl">
          <Title order={1} mb="lg">
            {title}
          </Title>
          {children}
        </Card>
      </Stack>
    </Box>
  );
}
