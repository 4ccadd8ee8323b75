import { Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, useMemo } from "react";
import { encode } from "uqr";

import type { AddedFactor, TotpSecret } from "../../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf } from "../../api/session.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";

interface ConfirmTotpProps {
  readonly made: TotpSecret;
  readonly onDone: (added: AddedFactor) => void;
  readonly onClose: () => void;
}

/** Shows the secret of an authenticator app until its first code says that the app has it. */
export function ConfirmTotp({ made: { secret, uri }, onDone, onClose }: ConfirmTotpProps) {
  const [code, setCode] = useState("");
  const { mutate, isPending, error } = useMutation<AddedFactor, ApiError>({
    mutationFn: () => resultOf(call("confirmOwnTotp", {}, { code })),
    onSuccess: onDone,
  });
  return (
    <FormModal opened onClose={onClose} title="Set up the authenticator app" centered>
      <Form onSend={() => mutate()}>
        <Text size="sm">Scan this with the app, or type the secret into it.</Text>
        <Group justify="center">
          <QrCode text={uri} label="The secret of the authenticator app as a QR code" />
        </Group>
        <Group gap="xs" wrap="nowrap" justify="center">
          <Text component="code" size="sm" className="monospace" data-testid="totp-secret">
            {secret.replaceAll(/.{4}(?=.)/g, "$& ")}
          </Text>
          <CopyButton value={secret} what="the secret" />
        </Group>
        <TextInput
          label="Code that the app shows"
          description="Six digits"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <ErrorAlert title="The app was not set up" error={error} />
        <FormButtons action="Turn it on" pending={isPending} onCancel={onClose} />
      </Form>
    </FormModal>
  );
}

/** A text as a QR code, black on white whatever the theme: cameras expect that. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: 4 }), [text]);
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={208} height={208}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
