import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";

import type { Session } from "../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../api/api-error.ts";
import { sessionEndQuery, sessionQuery, signIn, type SecondFactor, type SignedIn } from "../api/session.ts";
import { CurrentPasswordInput } from "./new-password-fields.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { AnchorLink } from "./links.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { Form } from "./form.tsx";

/** Asks for the password over the page whose session ended, so that what was typed there stays. */
export function SignInAgain() {
  const { data: end } = useQuery(sessionEndQuery);
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  if (end?.hasEnded !== true || session === undefined) return undefined;
  return (
    <Dialog
      opened
      onClose={() => undefined}
      title="Your session has ended"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={400}
    >
      <PasswordForm email={session.user.email} />
    </Dialog>
  );
}

function PasswordForm({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const { href } = useLocation();
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState<SecondFactor>();
  const goOn = (session: Session): void => {
    client.setQueryData(sessionQuery.queryKey, session);
    client.setQueryData(sessionEndQuery.queryKey, (end) => end && { ...end, hasEnded: false });
    void client.invalidateQueries({ queryKey: ["api"] });
  };
  const { mutate, isPending, error } = useMutation<SignedIn, ApiError>({
    mutationFn: () => signIn(email, password),
    onSuccess: (answer) => ("second_factor" in answer ? setAsked(answer.second_factor) : goOn(answer)),
  });
  if (asked !== undefined)
    return <SecondFactorForm asked={asked} onSignedIn={goOn} onBack={() => setAsked(undefined)} />;
  return (
    <Form onSend={() => mutate()}>
      <Text size="sm">Sign in again to go on. What you typed on this page is still there.</Text>
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <ErrorAlert title="Sign-in failed" error={error} />
      <CurrentPasswordInput
        label={`Password of ${email}`}
        name="password"
        data-autofocus
        value={password}
        onChange={setPassword}
      />
      <Group justify="space-between">
        <AnchorLink size="sm" to="/sign-in" search={{ next: href }} ignoreBlocker>
          Sign in as somebody else
        </AnchorLink>
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Group>
    </Form>
  );
}
