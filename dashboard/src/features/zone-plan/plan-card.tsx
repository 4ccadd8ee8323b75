import { Button, Card, Group, Radio, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { planName } from "../../components/setting-words.ts";

/** The plans that a zone can have, and which it has. */
export function PlanCard({ zoneId }: { readonly zoneId: string }) {
  const plans = useApi(call("listAvailablePlans", { zone_id: zoneId }));
  const [chosen, setChosen] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const current = plans.data?.result.find(({ is_subscribed }) => is_subscribed);
  const wanted = plans.data?.result.find(({ legacy_id }) => legacy_id === chosen) ?? current;
  const request = call(
    "updateZoneSubscription",
    { zone_id: zoneId },
    { rate_plan: { id: wanted?.legacy_id ?? "free" } },
  );
  const { mutate, isPending, error } = useApiMutation(() => request, {
    invalidates: [call("getZone", { zone_id: zoneId })],
    onSuccess: ({ result }) => {
      notifications.show({
        color: "green",
        message: `The zone is now on the plan ${planName(result.rate_plan.id)}.`,
      });
      setChosen(undefined);
      setAsking(false);
    },
  });
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="md">
        Plan
      </Title>
      {plans.error !== null && <ErrorAlert title="The plans could not be listed" error={plans.error} />}
      {plans.data === undefined ? (
        <Skeleton height={160} />
      ) : (
        <Stack>
          <Radio.Group
            aria-label="Plan"
            value={wanted?.legacy_id ?? null}
            onChange={(plan) => setChosen(plan)}
          >
            <Stack gap="sm">
              {plans.data.result.map(({ legacy_id, is_subscribed }) => (
                <Radio
                  key={legacy_id}
                  value={legacy_id}
                  label={planName(legacy_id)}
                  {...(is_subscribed && { description: "The plan of this zone" })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            A plan says which settings and how many rules a zone can have. Nothing is billed.
          </Text>
          <Group>
            <Button disabled={wanted === current} onClick={() => setAsking(true)}>
              Change the plan
            </Button>
          </Group>
        </Stack>
      )}
      {isAsking && wanted !== undefined && (
        <ConfirmModal
          opened
          onClose={() => setAsking(false)}
          title={`Change to the plan ${planName(wanted.legacy_id)}`}
          action="Change the plan"
          color="harbor"
          pending={isPending}
          error={error}
          call={request}
          onConfirm={() => mutate(undefined)}
        >
          What a lower plan does not have stays as it is, but can no longer be changed.
        </ConfirmModal>
      )}
    </Card>
  );
}
