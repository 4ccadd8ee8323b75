import { Button, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";

import type { Session } from "../../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { signIn, type SecondFactor, type SignedIn } from "../../api/session.ts";
import { CurrentPasswordInput } from "../../components/new-password-fields.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { SecondFactorForm } from "../../components/second-factor-form.tsx";
import { SessionCard, useEnter } from "./session-card.tsx";
import { SingleSignOnButton } from "./single-sign-on-button.tsx";
import { Form } from "../../components/form.tsx";

const route = getRouteApi("/sign-in");

/** E-mail and password for a session. */
export function SignInPage() {
  const { next = "/" } = route.useSearch();
  const begin = useEnter();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState<SecondFactor>();
  const enter = (session: Session): void => begin(session, next);
  const { mutate, isPending, error } = useMutation<SignedIn, ApiError>({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: (answer) => ("second_factor" in answer ? setAsked(answer.second_factor) : enter(answer)),
  });
  if (asked !== undefined)
    return (
      <SessionCard title="Second factor">
        <SecondFactorForm asked={asked} onSignedIn={enter} onBack={() => setAsked(undefined)} />
      </SessionCard>
    );
  return (
    <SessionCard title="Sign in">
      <Form onSend={() => mutate()}>
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
        <CurrentPasswordInput name="password" value={password} onChange={setPassword} />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
        <SingleSignOnButton next={next} />
        <Text size="sm" c="dimmed">
          Set your first password with the one-time link that was shown on the host.
        </Text>
      </Form>
    </SessionCard>
  );
}
