import { Alert, Button, Card, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { ApiError } from "../../api/api-error.ts";
import { revealApiKey } from "../../api/session.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";

type Operation = "view" | "change";

const words = {
  view: { title: "View the Global API Key", action: "View" },
  change: { title: "Change the Global API Key", action: "Change" },
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
      {operation !== undefined && (
        <Dialog
          opened
          onClose={() => setOperation(undefined)}
          title={words[operation].title}
          centered
          size="lg"
          closeOnClickOutside={false}
        >
          <Reveal operation={operation} onDone={() => setOperation(undefined)} />
        </Dialog>
      )}
    </Card>
  );
}

interface RevealProps {
  readonly operation: Operation;
  readonly onDone: () => void;
}

function Reveal({ operation, onDone }: RevealProps) {
  const [password, setPassword] = useState("");
  const { mutate, isPending, error, data } = useMutation<{ readonly api_key: string }, ApiError>({
    mutationFn: () => revealApiKey(operation, password),
    gcTime: 0,
  });
  if (data !== undefined)
    return (
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <Text component="code" flex={1} data-testid="api-key" className="monospace">
            {data.api_key}
          </Text>
          <CopyButton value={data.api_key} what="the Global API Key" />
        </Group>
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        {operation === "change" && (
          <Alert color="yellow" role="note">
            Anything that uses the current key is refused from that moment on.
          </Alert>
        )}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <ErrorAlert title="The key cannot be shown" error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" color={operation === "change" ? "red" : "harbor"} loading={isPending}>
            {words[operation].action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
