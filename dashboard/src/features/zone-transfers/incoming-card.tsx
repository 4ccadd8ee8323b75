import { Button, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMemo, useState } from "react";

import { useApi, useApiMutation } from "../../api/query.ts";
import type { Zone } from "../../api/zones.ts";
import {
  deleteIncoming,
  incomingOf,
  incomingPath,
  notConfiguredCode,
  saveIncoming,
  transferWhole,
  type Incoming,
  type IncomingBody,
  type Peer,
} from "../../api/zone-transfers.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { DeleteResource } from "../../components/resource/delete-resource.tsx";
import { choicesField, numberField } from "../../components/resource/field.tsx";
import { ResourceForm } from "../../components/resource/resource-form.tsx";
import { durationText } from "../../components/setting-words.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { peerChoices, PeerNames } from "./peer-names.tsx";

interface IncomingCardProps {
  readonly zone: Zone;
  /** Those of the account. */
  readonly peers: readonly Peer[];
}

interface IncomingDraft {
  readonly peers: readonly string[];
  readonly refreshSeconds: number | "";
}

const transferRefreshMs = 5_000;

/** The incoming transfer of a zone, for its form and the question before it is deleted. */
function incomingTransfer({ id, name }: Zone, peers: readonly Peer[]) {
  const bodyOf = ({ peers: ids, refreshSeconds }: IncomingDraft): IncomingBody => ({
    name,
    peers: [...ids],
    auto_refresh_seconds: Number(refreshSeconds),
  });
  return {
    noun: "incoming transfer",
    path: incomingPath(id),
    nameOf: () => name,
    deletion: "The zone keeps the records that were fetched, and follows its primary servers no more.",
    fields: {
      peers: choicesField(peerChoices(peers), {
        label: "Primary servers",
        description: "Peers of the account; they are asked one after another",
        pointer: "/peers",
      }),
      refreshSeconds: numberField({
        label: "Seconds between two questions for the serial",
        description: "300 to 2,592,000; they are also asked whenever one of them notifies",
        pointer: "/auto_refresh_seconds",
      }),
    },
    blank: { peers: [], refreshSeconds: 3_600 } as IncomingDraft,
    draftOf: ({ peers: ids, auto_refresh_seconds: refreshSeconds }: Incoming): IncomingDraft => ({
      peers: ids,
      refreshSeconds,
    }),
    create: (draft: IncomingDraft) => saveIncoming(id, "POST", bodyOf(draft)),
    edit: (_: Incoming, draft: IncomingDraft) => saveIncoming(id, "PUT", bodyOf(draft)),
    remove: () => deleteIncoming(id),
  };
}

/** From which name servers a secondary zone comes, and how old it is. */
export function IncomingCard({ zone, peers }: IncomingCardProps) {
  const { data, error } = useApi(incomingOf(zone.id), { refetchInterval: transferRefreshMs });
  const isMissing = error?.hasCode(notConfiguredCode) === true;
  const incoming = isMissing ? undefined : data?.result;
  const [opened, setOpened] = useState<"form" | "deletion">();
  const resource = useMemo(() => incomingTransfer(zone, peers), [zone, peers]);
  const whole = useApiMutation(() => transferWhole(zone.id), {
    invalidates: [incomingPath(zone.id)],
    onSuccess: () => notifications.show({ color: "green", message: "The zone is being fetched." }),
  });
  const close = (): void => setOpened(undefined);
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Where the zone comes from
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        This zone is a copy of its primary servers': its records are fetched from them and can only be read
        here.
      </Text>
      {incoming !== undefined ? (
        <Stack>
          <Facts
            facts={{
              "Primary servers": <PeerNames ids={incoming.peers} peers={peers} />,
              "Serial of the copy":
                incoming.soa_serial ?? "nothing was fetched yet; the server's log says why",
              "A primary last told its serial": <Timestamp at={incoming.checked_time} />,
              "Asked every": durationText(incoming.auto_refresh_seconds),
            }}
          />
          <ErrorAlert title="The zone is not being fetched" error={whole.error} />
          <Group gap="xs">
            <Button variant="default" loading={whole.isPending} onClick={() => whole.mutate(undefined)}>
              Fetch all of it now
            </Button>
            <Button variant="default" onClick={() => setOpened("form")}>
              Change the primary servers
            </Button>
            <Button variant="light" color="red" onClick={() => setOpened("deletion")}>
              Delete
            </Button>
          </Group>
        </Stack>
      ) : isMissing ? (
        <Group>
          <Button disabled={peers.length === 0} onClick={() => setOpened("form")}>
            Choose the primary servers
          </Button>
          {peers.length === 0 && <Text size="sm">The account has no transfer peers yet.</Text>}
        </Group>
      ) : error === null ? (
        <Skeleton height={160} />
      ) : (
        <ErrorAlert title="The transfer could not be shown" error={error} />
      )}
      {opened === "form" && <ResourceForm resource={resource} row={incoming} onDone={close} />}
      {opened === "deletion" && incoming !== undefined && (
        <DeleteResource resource={resource} row={incoming} onDone={close} />
      )}
    </Card>
  );
}
