import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf, type SecondFactor, type SignedIn } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { NewPasswordFields } from "../../components/new-password-fields.tsx";
import { SecondFactorForm } from "../../components/second-factor-form.tsx";
import { SessionCard, useEnter } from "./session-card.tsx";
import { Form } from "../../components/form.tsx";

/** Sets the first password; the token of the one-time link is behind the `#`, which no server and no log gets. */
export function FirstSignInPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const [password, setPassword] = useState<string>();
  const enter = useEnter();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<SecondFactor>();
  const { mutate, isPending, error } = useMutation<SignedIn, ApiError, string>({
    mutationFn: (chosen) => resultOf(call("setFirstPassword", {}, { token, password: chosen })),
    onSuccess: (answer) => ("second_factor" in answer ? setAsked(answer.second_factor) : enter(answer)),
  });
  if (asked !== undefined)
    return (
      <SessionCard title="Second factor">
        <SecondFactorForm
          asked={asked}
          onSignedIn={enter}
          onBack={() => void navigate({ to: "/sign-in", replace: true })}
        />
      </SessionCard>
    );
  if (token === "")
    return (
      <SessionCard title="First sign-in">
        <Stack>
          <Alert color="yellow" role="status">
            This link has no token. Open the whole link that was shown on the host.
          </Alert>
          <AnchorLink to="/sign-in">Sign in with a password</AnchorLink>
        </Stack>
      </SessionCard>
    );
  return (
    <SessionCard title="First sign-in">
      <Form
        onSend={() => {
          if (password !== undefined) mutate(password);
        }}
      >
        <Text size="sm" c="dimmed">
          Choose the password that you sign in with from now on. The link works only once.
        </Text>
        <ErrorAlert title="The password was not set" error={error} />
        <NewPasswordFields label="Password" onChange={setPassword} />
        <Button type="submit" fullWidth loading={isPending} disabled={password === undefined}>
          Set the password and sign in
        </Button>
      </Form>
    </SessionCard>
  );
}
