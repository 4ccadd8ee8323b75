import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call, type ResultOf } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { managedPhase } from "../../rule-phases.ts";
import { phaseTwo, useEntryPoint } from "./entry-point.ts";

/** Deploys the proposed configuration: beside the previous version on Enterprise, else in its place. */
export function Deploy({ zone }: { readonly zone: Zone }) {
  const [asking, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>Deploy</Button>
      {asking && <AskToDeploy zone={zone} onClose={close} />}
    </>
  );
}

interface AskToDeployProps {
  readonly zone: Zone;
  readonly onClose: () => void;
}

/** Asks once it knows the proposal, and which rules it replaces. */
function AskToDeploy({ zone, onClose }: AskToDeployProps) {
  const proposal = useApi(call("proposeConfiguration", { zone_id: zone.id }, phaseTwo));
  const entryPoint = useEntryPoint(zone.id);
  const isEnterprise = zone.plan.legacy_id === "enterprise";
  const callOf = (body: ResultOf<"proposeConfiguration">) =>
    call("replaceEntryPoint", { zone_id: zone.id, ruleset_phase: managedPhase }, body, {
      waf_migration: isEnterprise ? "validation" : "pending",
      ...phaseTwo,
    });
  const { mutate, isPending, error } = useApiMutation(callOf, {
    invalidates: [call("getZone", { zone_id: zone.id })],
    onSuccess: () =>
      notifications.show({
        message: isEnterprise
          ? "Both versions of the managed rules are in force now."
          : "The zone now has the new WAF managed rules.",
      }),
  });
  const title = "Deploy the new WAF managed rules";
  const body = proposal.data?.result;
  if (body === undefined || entryPoint.isLoading || entryPoint.error !== null)
    return (
      <Dialog opened onClose={onClose} title={title} centered size="lg">
        {proposal.error === null && entryPoint.error === null ? (
          <Skeleton height={160} radius="md" />
        ) : (
          <ErrorAlert title="Nothing can be deployed now" error={proposal.error ?? entryPoint.error} />
        )}
      </Dialog>
    );
  const replaced = entryPoint.rules.length;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      action="Deploy"
      color="harbor"
      {...(!isEnterprise && { typed: zone.name })}
      call={callOf(body)}
      pending={isPending}
      error={error}
      onConfirm={() => mutate(body)}
    >
      <Stack gap="xs">
        <Text size="sm">
          {isEnterprise
            ? `${zone.name} enters validation mode: the new version judges each request before the previous one. The previous version stays until you turn it off.`
            : `${zone.name} gets the configuration, and its previous version is turned off at the same time. A zone on the new version cannot return to the previous one.`}
        </Text>
        {replaced > 0 && (
          <Text size="sm">
            The {replaced === 1 ? "rule" : `${replaced} rules`} that the new version already has will be
            replaced.
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}
