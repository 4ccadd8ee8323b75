import { Alert, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure, useInViewport } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { Copied } from "../../components/copy-button.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { planName, wordsOf } from "../../components/setting-words.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { NextSteps } from "./next-steps.tsx";
import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";
import { toBuckets } from "../../components/event-buckets.ts";
import { AnchorLink } from "../../components/links.tsx";
import { countSecurityEvents, ofVisitors, useGraphql } from "../security-events/event-queries.ts";
import { type ApiError, notConfiguredCode } from "../../api/api-error.ts";
import { showDone } from "../../components/notices.tsx";

/** The facts of a zone, the steps that it waits for, and the switches that concern all of it. */
export function ZoneOverviewPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title={zone?.name ?? "Zone"}
        aside={
          zone !== undefined && (
            <>
              <StatusBadge status={zone.status} />
              {zone.paused && <StatusBadge status="paused" />}
            </>
          )
        }
        calls={[
          { title: "Get the zone", call: call("getZone", { zone_id: zoneId }) },
          { title: "Pause it", call: call("editZone", { zone_id: zoneId }, { paused: true }) },
          { title: "Check its activation", call: call("checkActivation", { zone_id: zoneId }) },
          { title: "Delete it", call: call("deleteZone", { zone_id: zoneId }) },
        ]}
      />
      {zone === undefined ? <Skeleton height={240} radius="md" /> : <Overview zone={zone} />}
    </>
  );
}

function Overview({ zone }: { readonly zone: Zone }) {
  return (
    <Stack gap="lg">
      <NextSteps zone={zone} />
      {zone.status !== "active" && <Activation zone={zone} />}
      <RecentEvents zoneId={zone.id} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Card withBorder padding="lg">
          <Title order={2} mb="md">
            About
          </Title>
          <Facts
            facts={{
              Account: zone.account.name,
              Plan: planName(zone.plan.legacy_id),
              Type: wordsOf(zone.type),
              Added: <Timestamp at={zone.created_on} />,
              Activated: <Timestamp at={zone.activated_on} />,
              "Zone id": <Copied value={zone.id} what="the zone id" />,
              "Account id": <Copied value={zone.account.id} what="the account id" />,
            }}
          />
        </Card>
        <Card withBorder padding="lg">
          <Title order={2} mb="md">
            Name servers
          </Title>
          {zone.name_servers.length === 0 ? (
            <Text size="sm" c="dimmed">
              A zone of this type has none here.
            </Text>
          ) : (
            <Stack gap="xs">
              {zone.name_servers.map((server) => (
                <Copied key={server} value={server} what={`the name server ${server}`} />
              ))}
            </Stack>
          )}
          {zone.verification_key !== undefined && (
            <>
              <Title order={3} mt="lg" mb="xs">
                Verification key
              </Title>
              <Copied value={zone.verification_key} what="the verification key" />
            </>
          )}
        </Card>
      </SimpleGrid>
      <InService zone={zone} />
      <Switches zone={zone} />
    </Stack>
  );
}

function Activation({ zone }: { readonly zone: Zone }) {
  const waitsFor = useApi(call("getActivation", { zone_id: zone.id })).data?.result.waits_for;
  const { mutate, isPending, error } = useApiMutation(() => call("checkActivation", { zone_id: zone.id }), {
    invalidates: [call("getZone", { zone_id: zone.id })],
    onSuccess: ({ messages }) =>
      notifications.show({
        title: "Activation check",
        message: messages.map(({ message }) => `${message}.`).join(" "),
      }),
  });
  return (
    <Alert color="yellow" title={activationTitles[zone.status]} styles={{ title: { fontWeight: 600 } }}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {zone.type === "partial"
            ? "The zone becomes active once a TXT record of the domain holds its verification key."
            : delegationText(zone)}
        </Text>
        {typeof waitsFor === "string" && <Text size="sm">What it waits for: {waitsFor}.</Text>}
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate(undefined)}>
          Check now
        </Button>
        <ErrorAlert title="The check failed" error={error} />
      </Stack>
    </Alert>
  );
}

/** A zone that waits may be one whose delegation nobody looks up: the server's settings decide, and no answer tells. */
function delegationText({ name, name_servers, status }: Zone): string {
  const servers = name_servers.join(" and ");
  return status === "pending"
    ? `Check now to activate it. If this server looks up delegations, ${name} also has to be delegated to ${servers} at its registrar.`
    : `At its registrar, delegate ${name} to ${servers}.`;
}

const activationTitles: Readonly<Record<Zone["status"], string>> = {
  initializing: "The delegation is being looked up for the first time",
  pending: "This zone is waiting for activation",
  moved: "The domain is delegated elsewhere, or another account has it",
  active: "Active",
};

function Switches({ zone }: { readonly zone: Zone }) {
  const navigate = useNavigate();
  const [deleting, { open, close }] = useDisclosure();
  const [pausing, pauseQuestion] = useDisclosure();
  const pauseCall = call("editZone", { zone_id: zone.id }, { paused: !zone.paused });
  const pause = useApiMutation(() => pauseCall, {
    onSuccess: ({ result }) => {
      pauseQuestion.close();
      showDone(result.paused ? `${zone.name} is paused.` : `${zone.name} is no longer paused.`);
    },
  });
  const remove = useApiMutation(() => call("deleteZone", { zone_id: zone.id }), {
    onSuccess: () => {
      showDone(`${zone.name} was deleted.`);
      return navigate({ to: "/", ignoreBlocker: true });
    },
    removes: [call("getZone", { zone_id: zone.id })],
  });
  return (
    <Card withBorder padding="lg">
      <Stack gap="lg">
        <Switch
          title={zone.paused ? "Resume the zone" : "Pause the zone"}
          text={
            zone.paused
              ? "Its rules, certificates and cache settings apply again."
              : "Only DNS is answered while it is paused; rules, certificates and cache settings do not apply."
          }
        >
          <Button variant="default" onClick={pauseQuestion.open}>
            {zone.paused ? "Resume" : "Pause"}
          </Button>
        </Switch>
        <Switch
          title="Delete the zone"
          text="This also deletes its records, rules and certificates, for good."
        >
          <Button variant="light" color="red" onClick={open}>
            Delete
          </Button>
        </Switch>
      </Stack>
      <ConfirmModal
        opened={pausing}
        onClose={pauseQuestion.close}
        title={zone.paused ? `Resume ${zone.name}` : `Pause ${zone.name}`}
        action={zone.paused ? "Resume" : "Pause"}
        color="harbor"
        call={pauseCall}
        pending={pause.isPending}
        error={pause.error}
        onConfirm={() => pause.mutate(undefined)}
      >
        {zone.paused
          ? "Its rules, certificates and cache settings apply again to every request."
          : "Requests reach the origin directly: no rule protects it, and none of its certificates is served, until the zone is resumed."}
      </ConfirmModal>
      <ConfirmModal
        opened={deleting}
        onClose={close}
        title={`Delete ${zone.name}`}
        action="Delete the zone"
        typed={zone.name}
        call={call("deleteZone", { zone_id: zone.id })}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
      >
        This deletes {zone.name} and all its DNS records, rules, settings and certificates. It cannot be
        undone.
      </ConfirmModal>
    </Card>
  );
}

function Switch(props: {
  readonly title: string;
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Title order={2} size="sm">
          {props.title}
        </Title>
        <Text size="sm" c="dimmed">
          {props.text}
        </Text>
      </div>
      {props.children}
    </Group>
  );
}

const hour = 60 * 60 * 1000;

/** The security events of the last day by hour; nothing where they may not be read. */
function RecentEvents({ zoneId }: { readonly zoneId: string }) {
  const [to] = useState(() => Date.now());
  const from = to - 24 * hour;
  const since = `${new Date(from).toISOString().slice(0, 19)}Z`;
  const { data, isPending } = useGraphql(
    countSecurityEvents(zoneId, { datetime_geq: since, ...ofVisitors }, "datetimeHour"),
  );
  const counts = data?.viewer.zones[0]?.firewallEventsAdaptiveGroups;
  if (counts === undefined) return isPending && <Skeleton height={174} radius="md" />;
  const sums = toBuckets(counts, "datetimeHour", { from, to }).map((bucket) =>
    Object.values(bucket.counts).reduce((sum, count) => sum + count, 0),
  );
  const events = sums.reduce((sum, count) => sum + count, 0);
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2}>Security events</Title>
        <AnchorLink size="sm" to="/zones/$zoneId/security/events" params={{ zoneId }}>
          Show them
        </AnchorLink>
      </Group>
      <Bars values={sums} summary={`${counted(events, "event")} of visitors in the last 24 hours, by hour`} />
    </Card>
  );
}

/** Whether edges serve a zone, and its transfers. Loaded once it is in sight, as a first visit has enough to load. */
function InService({ zone }: { readonly zone: Zone }) {
  const { ref, inViewport } = useInViewport();
  const isCopy = zone.type === "secondary";
  const edges = useApi(call("getEdges", { account_id: zone.account.id }), { enabled: inViewport }).data
    ?.result.edges;
  const running = edges?.filter(({ status }) => status === "running").length;
  const outgoing = useApi(call("getOutgoingTransfer", { zone_id: zone.id }), { enabled: inViewport });
  const incoming = useApi(call("getIncomingTransfer", { zone_id: zone.id }), {
    enabled: inViewport && isCopy,
  });
  const link = (page: "edge" | "dns/transfers", text: ReactNode): ReactNode => (
    <AnchorLink inherit to={`/zones/$zoneId/${page}`} params={{ zoneId: zone.id }}>
      {text}
    </AnchorLink>
  );
  return (
    <Card withBorder padding="lg" ref={ref}>
      <Title order={2} mb="md">
        In service
      </Title>
      <Facts
        facts={{
          Edge:
            running === undefined
              ? "–"
              : link("edge", running === 0 ? "None runs: no visitor meets the rules" : `${running} running`),
          ...(isCopy && { "Comes from": link("dns/transfers", transferText(incoming)) }),
          "Goes to": link("dns/transfers", transferText(outgoing)),
        }}
      />
    </Card>
  );
}

interface Transfer {
  readonly data:
    | { readonly result: { readonly peers: readonly string[]; readonly checked_time?: string } }
    | undefined;
  readonly error: ApiError | null;
}

function transferText({ data, error }: Transfer): ReactNode {
  if (data === undefined) return error?.hasCode(notConfiguredCode) === true ? "No other name server" : "–";
  const { peers, checked_time } = data.result;
  return (
    <>
      {counted(peers.length, "name server")}
      {checked_time !== undefined && (
        <>
          , checked <Timestamp at={checked_time} />
        </>
      )}
    </>
  );
}
