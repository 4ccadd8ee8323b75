import { Stack, Button, Card, Group, Radio, Skeleton, Text, Title, Switch, TextInput } from "@mantine/core";
import { useState } from "react";

import { call, type BodyOf } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { planName } from "../../components/setting-words.ts";
import type { ZoneHold } from "../../../../src/resources/zone-holds/schema.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { showDone } from "../../components/notices.tsx";

/** The plan of a zone, and whether its name is held. */
export function ZonePlanPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title="Plan and hold"
        of={zone?.name}
        calls={[
          { title: "List the plans", call: call("listAvailablePlans", { zone_id: zoneId }) },
          {
            title: "Change the plan",
            call: call("updateZoneSubscription", { zone_id: zoneId }, { rate_plan: { id: "pro" } }),
          },
          { title: "Say whether the zone is held", call: call("getZoneHold", { zone_id: zoneId }) },
          { title: "Hold the zone", call: call("editZoneHold", { zone_id: zoneId }, { hold_after: "" }) },
        ]}
      />
      <Stack gap="lg">
        <PlanCard zoneId={zoneId} />
        <HoldCard zoneId={zoneId} />
      </Stack>
    </>
  );
}

function PlanCard({ zoneId }: { readonly zoneId: string }) {
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
      showDone(`The zone is now on the plan ${planName(result.rate_plan.id)}.`);
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

/** Whether other accounts are kept from making a zone of the same name. */
function HoldCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getZoneHold", { zone_id: zoneId }));
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Hold
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        While a zone is held, no other account can add one of the same name. Needs the plan Enterprise.
      </Text>
      {data === undefined ? (
        <Pending height={80} title="The hold could not be shown" error={error} />
      ) : (
        <Hold zoneId={zoneId} hold={data.result} />
      )}
    </Card>
  );
}

function Hold({ zoneId, hold }: { readonly zoneId: string; readonly hold: ZoneHold }) {
  const [until, setUntil] = useState("");
  const options = {
    onSuccess: ({ result }: { readonly result: ZoneHold }) =>
      showDone(result.hold ? "The zone is held." : "The zone is released."),
  };
  const edit = useApiMutation(
    (body: BodyOf<"editZoneHold">) => call("editZoneHold", { zone_id: zoneId }, body),
    options,
  );
  const release = useApiMutation(
    () =>
      call(
        "deleteZoneHold",
        { zone_id: zoneId },
        { hold_after: until === "" ? "" : new Date(until).toISOString() },
      ),
    options,
  );
  return (
    <Stack>
      <Text size="sm">
        {hold.hold ? (
          <>
            Held since <Timestamp at={hold.hold_after} />.
          </>
        ) : hold.hold_after === null ? (
          "Not held."
        ) : (
          <>
            Released; held again <Timestamp at={hold.hold_after} />.
          </>
        )}
      </Text>
      <Switch
        label="Names below it are held as well"
        checked={hold.include_subdomains}
        disabled={edit.isPending}
        onChange={(event) => edit.mutate({ include_subdomains: event.currentTarget.checked })}
      />
      <Group align="flex-end">
        {hold.hold ? (
          <>
            <TextInput
              type="datetime-local"
              label="Hold it again from"
              description="Empty: it stays released"
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
            <Button variant="default" loading={release.isPending} onClick={() => release.mutate(undefined)}>
              Release
            </Button>
          </>
        ) : (
          <Button loading={edit.isPending} onClick={() => edit.mutate({ hold_after: "" })}>
            Hold the zone
          </Button>
        )}
      </Group>
      <ErrorAlert title="The hold was not changed" error={edit.error ?? release.error} />
    </Stack>
  );
}
