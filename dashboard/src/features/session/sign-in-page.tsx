import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState } from "react";

import type { ApiError } from "../../api/api-error.ts";
import { sessionQuery, signIn, type Session } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { SessionCard } from "./session-card.tsx";

const route = getRouteApi("/sign-in");

/** E-mail and password for a session. */
export function SignInPage() {
  const { next = "/" } = route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation<Session, ApiError>({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: (session) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      router.history.push(next);
    },
  });
  return (
    <SessionCard title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          <ErrorAlert title="Sign-in failed" error={error} />
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={isPending}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Set your first password with the one-time link that was shown on the host.
          </Text>
        </Stack>
      </form>
    </SessionCard>
  );
}
