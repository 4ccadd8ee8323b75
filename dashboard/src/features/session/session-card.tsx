import { Box, Card, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { type ReactNode, useCallback } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

import { ColorSchemeToggle } from "../../components/color-scheme-toggle.tsx";
import classes from "./session-card.module.css";
import type { Session } from "../../../../src/resources/sessions/schema.ts";
import { sessionQuery } from "../../api/session.ts";

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

/** Goes on with a session that has just begun, in place of the page that began it. */
export function useEnter(): (session: Session, next?: string) => void {
  const client = useQueryClient();
  const router = useRouter();
  return useCallback(
    (session, next = "/") => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      router.history.replace(next);
    },
    [client, router],
  );
}
