import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import type { Session } from "../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { getPasskey, resultOf, type Proof, type SecondFactor } from "../api/session.ts";
import { ErrorAlert } from "./error-alert.tsx";
import { Form } from "./form.tsx";

type Method = SecondFactor["methods"][number];

interface SecondFactorFormProps {
  readonly asked: SecondFactor;
  readonly onSignedIn: (session: Session) => void;
  readonly onBack: () => void;
}

const fields = {
  totp: {
    label: "Code of your authenticator app",
    description: "Six digits",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    other: "Use the authenticator app",
  },
  recovery_code: {
    label: "Recovery code",
    description: "Each is good once",
    inputMode: "text",
    autoComplete: "off",
    other: "Use a recovery code",
  },
} as const;

/** Asks for the second factor, by one of the methods that the user has. */
export function SecondFactorForm({ asked, onSignedIn, onBack }: SecondFactorFormProps) {
  const { token, methods, passkey_options: passkeyOptions } = asked;
  const [method, setMethod] = useState<Method>(methods[0] ?? "recovery_code");
  const [code, setCode] = useState("");
  const { mutate, isPending, error, reset } = useMutation<Session, ApiError>({
    mutationFn: async () =>
      resultOf(call("passSecondFactor", {}, { token, ...(await proofOf(method, code, passkeyOptions)) })),
    onSuccess: onSignedIn,
  });
  return (
    <Form onSend={() => mutate()}>
      <ErrorAlert title="Sign-in failed" error={error} />
      {method === "passkey" ? (
        <Text size="sm">Your browser asks for the passkey.</Text>
      ) : (
        <CodeField key={method} method={method} code={code} onChange={setCode} />
      )}
      <Button type="submit" fullWidth loading={isPending}>
        {method === "passkey" ? "Use a passkey" : "Sign in"}
      </Button>
      <Group gap="xs">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              size="xs"
              variant="default"
              onClick={() => {
                reset();
                setCode("");
                setMethod(other);
              }}
            >
              {other === "passkey" ? "Use a passkey" : fields[other].other}
            </Button>
          ))}
        <Button size="xs" variant="subtle" onClick={onBack}>
          Begin again
        </Button>
      </Group>
      {methods.length === 0 && (
        <Text size="sm">
          None of your second factors can be used here. The operator can reset them on the host.
        </Text>
      )}
    </Form>
  );
}

interface CodeFieldProps {
  readonly method: keyof typeof fields;
  readonly code: string;
  readonly onChange: (code: string) => void;
}

/** Takes the focus, as nothing else on the page is of use. */
function CodeField({ method, code, onChange }: CodeFieldProps) {
  const { label, description, inputMode, autoComplete } = fields[method];
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <TextInput
      ref={input}
      label={label}
      description={description}
      inputMode={inputMode}
      autoComplete={autoComplete}
      required
      withAsterisk={false}
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

async function proofOf(method: Method, code: string, options: object | null): Promise<Proof> {
  if (method === "passkey") return { passkey: await getPasskey(options ?? {}) };
  return method === "totp" ? { code } : { recovery_code: code };
}
