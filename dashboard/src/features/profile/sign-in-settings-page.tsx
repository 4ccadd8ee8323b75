import { Card, Stack, Button, Group, Text, Title, Alert } from "@mantine/core";
import { useQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { sessionQuery, resultOf } from "../../api/session.ts";
import { Copied, CopyButton } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import type { ApiError } from "../../api/api-error.ts";
import { CurrentPasswordInput, NewPasswordFields } from "../../components/new-password-fields.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { PasswordDialog } from "../../components/password-dialog.tsx";
import { Form } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

/** The user's means of signing in, and the key that has all of its rights. */
export function SignInSettingsPage() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader
        title="Sign-in and key"
        of="My profile"
        calls={[{ title: "Get the user", call: call("getUser", {}) }]}
      />
      <Stack gap="lg" maw="44rem">
        <Card withBorder padding="lg">
          <Facts
            facts={{
              "E-mail": session?.user.email,
              "User id": session && <Copied value={session.user.id} what="the user id" />,
              "This session ends": <Timestamp at={session?.expires_on} />,
            }}
          />
        </Card>
        <ChangePassword />
        <GlobalApiKey />
      </Stack>
    </>
  );
}

/** Changes the password, which ends the user's other sessions. */
function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const { mutate, isPending, error } = useMutation<unknown, ApiError, string>({
    mutationFn: (chosen) =>
      resultOf(call("changePassword", {}, { current_password: current, new_password: chosen })),
    onSuccess: () => {
      showDone("The password was changed. Other sessions have ended.");
      setCurrent("");
      setPassword(undefined);
      setAttempt(attempt + 1);
    },
  });
  return (
    <Card withBorder padding="lg">
      <Form
        onSend={() => {
          if (password !== undefined) mutate(password);
        }}
      >
        <div>
          <Title order={2}>Password</Title>
          <Text size="sm" c="dimmed">
            Changing it ends your sessions in other browsers.
          </Text>
        </div>
        <CurrentPasswordInput label="Current password" value={current} onChange={setCurrent} />
        <NewPasswordFields key={attempt} label="New password" onChange={setPassword} />
        <ErrorAlert title="The password was not changed" error={error} />
        <Group>
          <Button type="submit" loading={isPending} disabled={current === "" || password === undefined}>
            Change the password
          </Button>
        </Group>
      </Form>
    </Card>
  );
}

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
function GlobalApiKey() {
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
