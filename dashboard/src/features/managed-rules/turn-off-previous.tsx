import { Button, Card, Group, List, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { managedPhase } from "../../rule-phases.ts";
import { definitionOf } from "../rules/rule-definition.ts";
import { phaseTwo, useEntryPoint } from "./entry-point.ts";

/** Validation mode: both versions are in force until the previous one is turned off, in two steps. */
export function TurnOffPrevious({ zone }: { readonly zone: Zone }) {
  const [isReady, ready] = useDisclosure();
  const [asking, ask] = useDisclosure();
  const { ruleset, rules } = useEntryPoint(zone.id);
  const request = call(
    "replaceEntryPoint",
    { zone_id: zone.id, ruleset_phase: managedPhase },
    {
      name: ruleset?.name ?? "default",
      rules: rules.map(definitionOf),
    },
    { waf_migration: "pending", ...phaseTwo },
  );
  const { mutate, isPending, error } = useApiMutation(() => request, {
    invalidates: [call("getZone", { zone_id: zone.id })],
    onSuccess: () =>
      notifications.show({
        message: "The previous version was turned off.",
      }),
  });
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="validation-mode">
      <Group justify="space-between" gap="md">
        <Stack gap="xs" flex="1 1 22rem" maw="46rem">
          <Title order={2} id="validation-mode">
            {isReady ? "Ready to update" : "Both versions are in force"}
          </Title>
          {isReady ? (
            <Text size="sm">
              Nothing has changed yet. Turning off the previous version completes the update; the rules of the
              new version stay as they are.
            </Text>
          ) : (
            <>
              <Text size="sm">
                The new version judges each request before the previous one. Look at{" "}
                <AnchorLink
                  underline="always"
                  inherit
                  to="/zones/$zoneId/security/waf/managed-rules"
                  params={{ zoneId: zone.id }}
                  search={{ view: "comparison" }}
                >
                  how both compare by visitors&rsquo; requests
                </AnchorLink>
                , and at the{" "}
                <AnchorLink
                  underline="always"
                  inherit
                  to="/zones/$zoneId/security/events"
                  params={{ zoneId: zone.id }}
                >
                  security events
                </AnchorLink>
                , for
              </Text>
              <List size="sm" spacing={2}>
                <List.Item>requests that the new version passes and the previous one acts on</List.Item>
                <List.Item>legitimate requests that the new version blocks</List.Item>
              </List>
            </>
          )}
        </Stack>
        {isReady ? (
          <Group gap="xs">
            <Button variant="default" onClick={ready.close}>
              Not yet
            </Button>
            <Button color="red" onClick={ask.open} disabled={ruleset === undefined}>
              Turn off previous version
            </Button>
          </Group>
        ) : (
          <Button onClick={ready.open}>Ready to update</Button>
        )}
      </Group>
      <ConfirmModal
        opened={asking}
        onClose={ask.close}
        title="Turn off the previous version"
        action="Turn off previous version"
        typed={zone.name}
        call={request}
        pending={isPending}
        error={error}
        onConfirm={() => mutate(undefined)}
      >
        Only the {rules.length === 1 ? "rule" : `${rules.length} rules`} of the new version will protect{" "}
        {zone.name} then. A zone on the new version cannot return to the previous one.
      </ConfirmModal>
    </Card>
  );
}
