import { Button, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { OpenInvite } from "../../../../src/resources/invite-links/schema.ts";
import type { Session } from "../../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { NewPasswordFields } from "../../components/new-password-fields.tsx";
import { SessionCard, useEnter } from "./session-card.tsx";
import { Form } from "../../components/form.tsx";

/** Makes the user of an invite; the token of the link is behind the `#`, which no server and no log gets. */
export function JoinPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data: invite, error } = useQuery<OpenInvite, ApiError>({
    queryKey: ["open-invite", token],
    queryFn: () => resultOf(call("getOpenInvite", {}, { token })),
    retry: false,
    staleTime: Infinity,
  });
  const [password, setPassword] = useState<string>();
  const enter = useEnter();
  const join = useMutation<Session, ApiError, string>({
    mutationFn: (chosen) => resultOf(call("joinByInvite", {}, { token, password: chosen })),
    onSuccess: (session) => enter(session),
  });
  if (invite === undefined)
    return (
      <SessionCard title="Invite">
        {error === null ? (
          <Loader aria-label="Loading the invite" />
        ) : (
          <Stack>
            <ErrorAlert title="This link does not lead to an invite" error={error} />
            <AnchorLink to="/sign-in" search={{ next: "/profile/memberships" }}>
              Sign in and see your invites
            </AnchorLink>
          </Stack>
        )}
      </SessionCard>
    );
  return (
    <SessionCard title={`Join ${invite.account_name}`}>
      <Form
        onSend={() => {
          if (password !== undefined) join.mutate(password);
        }}
      >
        <Text size="sm" c="dimmed">
          {invite.invited_by === null ? "You are invited. " : `${invite.invited_by} invites you. `}
          Choose the password that you sign in with from now on. The link works only once.
        </Text>
        <ErrorAlert title="You did not join" error={join.error} />
        <TextInput label="E-mail" name="email" autoComplete="username" readOnly value={invite.email} />
        <NewPasswordFields label="Password" onChange={setPassword} />
        <Button type="submit" fullWidth loading={join.isPending} disabled={password === undefined}>
          Join and sign in
        </Button>
      </Form>
    </SessionCard>
  );
}
