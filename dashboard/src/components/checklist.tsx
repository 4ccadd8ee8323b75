import { CheckCircleIcon } from "@heroicons/react/24/outline";
import { Card, Group, List, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { ButtonLink } from "./links.tsx";

export interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly detail: ReactNode;
  /** The page for it; undefined for steps that are done elsewhere. */
  readonly link?: { readonly to: string; readonly search?: object; readonly text: string };
}

/** The next steps, in the order in which they work; each step ticks itself. */
export function Checklist({ title, steps }: { readonly title: string; readonly steps: readonly Step[] }) {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="md">
        {title}
      </Title>
      <List
        listStyleType="none"
        withPadding={false}
        spacing="sm"
        styles={{ itemWrapper: { width: "100%" }, itemLabel: { width: "100%" } }}
      >
        {steps.map(({ link, ...step }) => (
          <List.Item key={step.title} aria-label={`${step.title}: ${step.isDone ? "done" : "to do"}`}>
            <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <ThemeIcon size="sm" radius="xl" variant="default" aria-hidden>
                  {step.isDone && <CheckCircleIcon width={18} />}
                </ThemeIcon>
                <Stack gap={2}>
                  <Text size="sm" fw={600}>
                    {step.title}
                  </Text>
                  <Text component="div" size="sm" c="dimmed">
                    {step.detail}
                  </Text>
                </Stack>
              </Group>
              {!step.isDone && link !== undefined && (
                <ButtonLink
                  size="xs"
                  variant={step.title === next?.title ? "filled" : "default"}
                  flex="none"
                  to={link.to}
                  search={link.search ?? {}}
                >
                  {link.text}
                </ButtonLink>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
