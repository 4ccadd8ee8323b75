import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { Dnssec, DnssecBody } from "../../../../src/resources/dnssec/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { stageOf, type Stage } from "./stages.ts";
import { showDone } from "../../components/notices.tsx";

interface StageCardProps {
  readonly zone: Zone;
  readonly dnssec: Dnssec;
  readonly stage: Stage;
}

/** The stage of a zone on its way to or from DNSSEC, and the buttons that lead on. */
export function StageCard({ zone, dnssec: { status, ds }, stage }: StageCardProps) {
  const [question, setQuestion] = useState<"off" | "delete">();
  const change = useApiMutation((body: DnssecBody) => call("editDnssec", { zone_id: zone.id }, body), {
    onSuccess: ({ result }) => notifications.show({ message: `${stageOf(result).title}.` }),
  });
  const isOff = status === "disabled" || status === "pending-disabled";
  const isServedHere = zone.type === "full" || zone.type === "secondary";
  const onDone = (): void => setQuestion(undefined);
  return (
    <Alert color={stage.color} title={stage.title} styles={{ title: { fontWeight: 600 } }}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" maw="48rem">
          {isServedHere ? stage.text : "Others serve a zone of this type, and sign it."}
        </Text>
        <Group gap="xs">
          {isServedHere && isOff && (
            <Button
              size="xs"
              variant={ds === null ? "filled" : "default"}
              loading={change.isPending}
              onClick={() => change.mutate({ status: "active" })}
            >
              {ds === null ? "Turn DNSSEC on" : "Turn DNSSEC on again"}
            </Button>
          )}
          {ds !== null && stage.isWaiting && (
            <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate({})}>
              Look now
            </Button>
          )}
          {!isOff && (
            <Button size="xs" variant="light" color="red" onClick={() => setQuestion("off")}>
              Turn DNSSEC off
            </Button>
          )}
          {ds !== null && status === "disabled" && (
            <Button size="xs" variant="light" color="red" onClick={() => setQuestion("delete")}>
              Delete the keys
            </Button>
          )}
        </Group>
        <ErrorAlert title="DNSSEC was not changed" error={change.error} />
      </Stack>
      {question === "off" && <TurnOff zone={zone} isChecked={status === "active"} onDone={onDone} />}
      {question === "delete" && <DeleteKeys zone={zone} onDone={onDone} />}
    </Alert>
  );
}

interface TurnOffProps {
  readonly zone: Zone;
  /** Whether resolvers check the signatures. */
  readonly isChecked: boolean;
  readonly onDone: () => void;
}

function TurnOff({ zone, isChecked, onDone }: TurnOffProps) {
  return (
    <ConfirmCall
      call={call("editDnssec", { zone_id: zone.id }, { status: "disabled" })}
      onSuccess={({ result }) => {
        notifications.show({ message: `${stageOf(result).title}.` });
        onDone();
      }}
      onClose={onDone}
      title={`Turn DNSSEC of ${zone.name} off`}
      action="Turn it off"
      {...(isChecked && { typed: zone.name })}
    >
      {isChecked
        ? "Resolvers check the signatures of this zone. It stays signed until the DS record is gone from its parent zone: remove the record at your registrar next."
        : "The zone stays signed until its keys are deleted."}
    </ConfirmCall>
  );
}

function DeleteKeys({ zone, onDone }: { readonly zone: Zone; readonly onDone: () => void }) {
  return (
    <ConfirmCall
      call={call("deleteDnssec", { zone_id: zone.id })}
      onSuccess={() => {
        showDone("The keys were deleted; the zone is no longer signed.");
        onDone();
      }}
      onClose={onDone}
      title={`Delete the keys of ${zone.name}`}
      action="Delete the keys"
      typed={zone.name}
    >
      The zone is no longer signed, at once. If its parent zone, or a resolver that remembers it, still has
      the DS record, {zone.name} and all its names stop resolving there. DNSSEC that is turned on again has
      other keys and another DS record. This cannot be undone.
    </ConfirmCall>
  );
}
