import { CommandLineIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Anchor, Button, Drawer, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { urlOf, type ApiCall } from "../api/call.ts";
import { CurlCommand } from "./curl-command.tsx";

/** A call of a page with what it is for: "List the records". */
export interface NamedCall {
  readonly title: string;
  readonly call: ApiCall<unknown>;
}

export function ApiCalls({ calls }: { readonly calls: readonly NamedCall[] }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<CommandLineIcon width={18} aria-hidden />}
        onClick={open}
      >
        API
      </Button>
      <ActionIcon variant="default" size={36} hiddenFrom="sm" aria-label="API" onClick={open}>
        <CommandLineIcon width={18} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size="lg"
        title="The API calls behind this page"
      >
        <Stack gap="lg">
          <Text size="sm" c="dimmed">
            Put an API token into <code>$TOKEN</code>. The dashboard does everything through these calls;{" "}
            <Anchor href="/docs" inherit underline="always">
              the reference
            </Anchor>{" "}
            has all of them.
          </Text>
          {calls.map(({ title, call }) => (
            <Stack key={title + call.method + urlOf(call)} gap={6}>
              <Title order={3} size="sm">
                {title}
              </Title>
              <CurlCommand call={call} />
            </Stack>
          ))}
        </Stack>
      </Drawer>
    </>
  );
}
