import { Alert, Button, Card, Group, Stack, Text, Title, SimpleGrid } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type {
  AddedFactor,
  Passkey,
  TotpSecret,
  TwoFactor,
} from "../../../../src/resources/sessions/schema.ts";
import { call } from "../../api/call.ts";
import { invalidate, useApi } from "../../api/query.ts";
import { addPasskey, resultOf, sessionQuery } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PageLoading } from "../../components/page-loading.tsx";
import { PasswordDialog } from "../../components/password-dialog.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { ConfirmTotp } from "./confirm-totp.tsx";
import { Passkeys } from "./passkeys.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { downloadText } from "../../components/download-text.ts";
import { SecretModal } from "../../components/secret-modal.tsx";

/** The open dialog. */
type Step =
  | { readonly kind: "start-totp" | "remove-totp" | "add-passkey" | "renew-codes" }
  | { readonly kind: "confirm-totp"; readonly made: TotpSecret }
  | { readonly kind: "remove-passkey"; readonly passkey: Passkey }
  | { readonly kind: "show-codes"; readonly codes: readonly string[] };

/** The user's second factors at sign-in. */
export function TwoFactorPage() {
  const { data, error, refetch } = useApi(call("getTwoFactor", {}));
  const [step, setStep] = useState<Step>();
  return (
    <>
      <PageHeader
        title="Two-factor sign-in"
        of="My profile"
        description="Besides the password, signing in takes a code of an authenticator app or a passkey. API tokens and the Global API Key are not asked for it."
        calls={[]}
      />
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <PageLoading />
      ) : (
        <Factors data={data.result} onStep={setStep} />
      )}
      {step !== undefined && <StepDialog step={step} onStep={setStep} />}
    </>
  );
}

interface FactorsProps {
  readonly data: TwoFactor;
  readonly onStep: (step: Step) => void;
}

function Factors({ data, onStep }: FactorsProps) {
  const { enabled, locked, totp, recovery_codes: left } = data;
  return (
    <Stack gap="lg" maw="44rem">
      {locked && !enabled && (
        <Alert color="yellow" role="note" title="Set up a second factor">
          This server, or an account of which you are a member, requires one. What is closed until then opens
          at once.
        </Alert>
      )}
      <Factor
        title="Authenticator app"
        description="An app on your phone shows a code of six digits that changes every 30 seconds."
        status={totp ? "on" : "off"}
        button={
          totp ? (
            <Button color="red" variant="light" onClick={() => onStep({ kind: "remove-totp" })}>
              Remove the app
            </Button>
          ) : (
            <Button onClick={() => onStep({ kind: "start-totp" })}>Set up an app</Button>
          )
        }
      />
      <Passkeys
        data={data}
        onAdd={() => onStep({ kind: "add-passkey" })}
        onRemove={(passkey) => onStep({ kind: "remove-passkey", passkey })}
      />
      {enabled && (
        <Factor
          title="Recovery codes"
          description={`${left === 1 ? "One code is" : `${left} codes are`} left. Each stands in for the second factor once.`}
          status={left < 3 ? "few left" : undefined}
          button={
            <Button variant="default" onClick={() => onStep({ kind: "renew-codes" })}>
              Make new codes
            </Button>
          }
        />
      )}
    </Stack>
  );
}

interface FactorProps {
  readonly title: string;
  readonly description: string;
  readonly status: string | undefined;
  readonly button: ReactNode;
}

function Factor({ title, description, status, button }: FactorProps) {
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2}>{title}</Title>
          {status !== undefined && <StatusBadge status={status} />}
        </Group>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        <Group>{button}</Group>
      </Stack>
    </Card>
  );
}

interface StepDialogProps {
  readonly step: Step;
  readonly onStep: (step: Step | undefined) => void;
}

function StepDialog({ step, onStep }: StepDialogProps) {
  const client = useQueryClient();
  const close = (): void => onStep(undefined);
  const changed = (message: string): void => {
    notifications.show({ color: "green", message });
    void invalidate(client, call("getTwoFactor", {}));
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const added =
    (message: string) =>
    ({ recovery_codes: codes }: AddedFactor): void => {
      changed(message);
      onStep(codes === null ? undefined : { kind: "show-codes", codes });
    };
  const removed = (message: string) => (): void => {
    changed(message);
    close();
  };
  switch (step.kind) {
    case "start-totp":
      return (
        <PasswordDialog
          title="Set up an authenticator app"
          action="Continue"
          send={(password) => resultOf(call("startOwnTotp", {}, { password }))}
          onDone={(made) => onStep({ kind: "confirm-totp", made })}
          onClose={close}
        >
          Your password first, as whoever sits at this browser could otherwise lock you out.
        </PasswordDialog>
      );
    case "confirm-totp":
      return (
        <ConfirmTotp made={step.made} onDone={added("The authenticator app is set up.")} onClose={close} />
      );
    case "remove-totp":
      return (
        <PasswordDialog
          title="Remove the authenticator app"
          action="Remove"
          color="red"
          send={(password) => resultOf(call("removeOwnTotp", {}, { password }))}
          onDone={removed("The authenticator app was removed.")}
          onClose={close}
        >
          Its codes stop working at once.
        </PasswordDialog>
      );
    case "add-passkey":
      return (
        <PasswordDialog
          title="Add a passkey"
          action="Continue"
          named
          send={addPasskey}
          onDone={added("The passkey was added.")}
          onClose={close}
        >
          Your browser then asks where the passkey is to be kept: on this device, a phone or a security key.
        </PasswordDialog>
      );
    case "remove-passkey":
      return (
        <PasswordDialog
          title={`Remove the passkey ${step.passkey.name}`}
          action="Remove"
          color="red"
          send={(password) => resultOf(call("removeOwnPasskey", {}, { password, id: step.passkey.id }))}
          onDone={removed("The passkey was removed.")}
          onClose={close}
        >
          It no longer signs you in. Delete it on its device too.
        </PasswordDialog>
      );
    case "renew-codes":
      return (
        <PasswordDialog
          title="Make new recovery codes"
          action="Make new codes"
          send={(password) => resultOf(call("renewRecoveryCodes", {}, { password }))}
          onDone={({ recovery_codes: codes }) =>
            added("There are new recovery codes.")({ recovery_codes: codes })
          }
          onClose={close}
        >
          The ones before stop working at once.
        </PasswordDialog>
      );
    case "show-codes":
      return <RecoveryCodes codes={step.codes} onSaved={close} />;
  }
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = codes.join("\n");
  return (
    <SecretModal title="Your recovery codes" onSaved={onSaved}>
      <Text size="sm">
        Each of them signs you in once, with your password, where you do not have your second factor. They are
        shown only now: keep them where you keep your passwords.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" data-testid="recovery-codes">
        {codes.map((code) => (
          <Text key={code} component="code" className="monospace">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={text} what="the recovery codes" />
        <Button
          size="xs"
          variant="default"
          onClick={() => downloadText("zoneward-recovery-codes.txt", `${text}\n`)}
        >
          Download
        </Button>
      </Group>
    </SecretModal>
  );
}
