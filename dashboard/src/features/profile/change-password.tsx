import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf } from "../../api/session.ts";
import { CurrentPasswordInput } from "../../components/current-password-input.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { NewPasswordFields } from "../../components/new-password-fields.tsx";

/** Changes the password, which ends the user's other sessions. */
export function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const { mutate, isPending, error } = useMutation<unknown, ApiError, string>({
    mutationFn: (chosen) =>
      resultOf(call("changePassword", {}, { current_password: current, new_password: chosen })),
    onSuccess: () => {
      notifications.show({ color: "green", message: "The password was changed. Other sessions have ended." });
      setCurrent("");
      setPassword(undefined);
      setAttempt(attempt + 1);
    },
  });
  return (
    <Card withBorder padding="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== undefined) mutate(password);
        }}
      >
        <Stack>
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
        </Stack>
      </form>
    </Card>
  );
}
