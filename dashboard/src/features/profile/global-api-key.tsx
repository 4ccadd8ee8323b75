import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { resultOf } from "../../api/session.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { PasswordDialog } from "../../components/password-dialog.tsx";

type Operation = "view" | "change";

const words = {
  view: { title: "View the Global API Key", action: "View", color: "harbor", warning: undefined },
  change: {
    title: "Change the Global API Key",
    action: "Change",
    color: "red",
    warning: "Anything that uses the current key is refused from that moment on.",
  },
} as const;

/** Shows the Global API Key, or makes another one, each for the password. */
export function GlobalApiKey() {
  const [operation, setOperation] = useState<Operation>();
  return (
    <Card withBorder padding="lg">
      <Stack>
        <div>
          <Title order={2}>Global API Key</Title>
          <Text size="sm" c="dimmed">
            It has all of your rights, everywhere and for ever. An API token is a better choice for almost
            everything.
          </Text>
        </div>
        <Group>
          <Button variant="default" onClick={() => setOperation("view")}>
            View
          </Button>
          <Button variant="light" color="red" onClick={() => setOperation("change")}>
            Change
          </Button>
        </Group>
      </Stack>
      {operation !== undefined && <Reveal operation={operation} onDone={() => setOperation(undefined)} />}
    </Card>
  );
}

interface RevealProps {
  readonly operation: Operation;
  readonly onDone: () => void;
}

function Reveal({ operation, onDone }: RevealProps) {
  const [key, setKey] = useState<string>();
  const { title, action, color, warning } = words[operation];
  if (key === undefined)
    return (
      <PasswordDialog
        title={title}
        action={action}
        color={color}
        failure="The key cannot be shown"
        send={(password) => resultOf(call(`${operation}ApiKey`, {}, { password }))}
        onDone={({ api_key }) => setKey(api_key)}
        onClose={onDone}
      >
        {warning && (
          <Alert color="yellow" role="note">
            {warning}
          </Alert>
        )}
      </PasswordDialog>
    );
  return (
    <Dialog opened onClose={onDone} title={title} centered size="lg" closeOnClickOutside={false}>
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <Text component="code" flex={1} data-testid="api-key" className="monospace">
            {key}
          </Text>
          <CopyButton value={key} what="the Global API Key" />
        </Group>
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
