import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";

import { useApiMutation } from "../../api/query.ts";
import type { Rule } from "../../api/rulesets.ts";
import { migrate, type ProposedRuleset } from "../../api/waf-migration.ts";
import { zonePath, type Zone } from "../../api/zones.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";

interface DeployProps {
  readonly zone: Zone;
  readonly proposal: ProposedRuleset;
  /** Those of the new version that the zone has already. */
  readonly rules: readonly Rule[];
}

/** Deploys the proposed configuration: beside the previous version on Enterprise, else in its place. */
export function Deploy({ zone, proposal, rules }: DeployProps) {
  const [asking, { open, close }] = useDisclosure();
  const isEnterprise = zone.plan.legacy_id === "enterprise";
  const call = migrate(zone.id, isEnterprise ? "validation" : "pending", proposal);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [zonePath(zone.id)],
    onSuccess: () =>
      notifications.show({
        message: isEnterprise
          ? "Both versions of the managed rules are in force now."
          : "The zone now has the new WAF managed rules.",
      }),
  });
  return (
    <>
      <Button onClick={open}>Deploy</Button>
      <ConfirmModal
        opened={asking}
        onClose={close}
        title="Deploy the new WAF managed rules"
        action="Deploy"
        color="harbor"
        {...(!isEnterprise && { typed: zone.name })}
        call={call}
        pending={isPending}
        error={error}
        onConfirm={() => mutate(undefined)}
      >
        <Stack gap="xs">
          <Text size="sm">
            {isEnterprise
              ? `${zone.name} enters validation mode: the new version judges each request before the previous one. The previous version stays until you turn it off.`
              : `${zone.name} gets the configuration, and its previous version is turned off at the same time. A zone on the new version cannot return to the previous one.`}
          </Text>
          {rules.length > 0 && (
            <Text size="sm">
              The {rules.length === 1 ? "rule" : `${rules.length} rules`} that the new version already has
              will be replaced.
            </Text>
          )}
        </Stack>
      </ConfirmModal>
    </>
  );
}
