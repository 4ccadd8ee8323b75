import { Alert, Button, Group } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Outgoing, Peer, NotifiedPeer } from "../../../../src/resources/zone-transfers/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { choicesField } from "../../components/resource/field.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { peerChoices } from "./peers.tsx";
import { TransferCard } from "./transfer-card.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { showDone } from "../../components/notices.tsx";

interface OutgoingCardProps {
  readonly zone: Zone;
  readonly peers: readonly Peer[];
}

interface OutgoingDraft {
  readonly peers: readonly string[];
}

const transferRefreshMs = 10_000;

/** The outgoing transfer of a zone, for its form and the question before it is deleted. */
function outgoingTransfer({ id, name }: Zone, peers: readonly Peer[]) {
  return {
    noun: "outgoing transfer",
    nameOf: () => name,
    deletion: "Its peers can no longer fetch the zone, and it leaves their catalogs.",
    fields: {
      peers: choicesField(peerChoices(peers), {
        label: "Peers",
        description: "Name servers of the account that fetch the zone",
        pointer: "/peers",
      }),
    },
    blank: { peers: [] } as OutgoingDraft,
    draftOf: (outgoing: Outgoing): OutgoingDraft => ({ peers: outgoing.peers }),
    create: (draft: OutgoingDraft) =>
      call("createOutgoingTransfer", { zone_id: id }, { name, peers: [...draft.peers] }),
    edit: (_: Outgoing, draft: OutgoingDraft) =>
      call("replaceOutgoingTransfer", { zone_id: id }, { name, peers: [...draft.peers] }),
    remove: () => call("deleteOutgoingTransfer", { zone_id: id }),
  };
}

/** The name servers that a zone is transferred to, and whether it is. */
export function OutgoingCard({ zone, peers }: OutgoingCardProps) {
  const resource = useMemo(() => outgoingTransfer(zone, peers), [zone, peers]);
  return (
    <TransferCard
      title="Where the zone goes"
      description="Other name servers fetch the zone from here, follow its changes and answer the world."
      call={call("getOutgoingTransfer", { zone_id: zone.id })}
      refetchMs={transferRefreshMs}
      resource={resource}
      peersNoun="peers"
      hasPeers={peers.length > 0}
    >
      {(outgoing, buttons) => (
        <State zone={zone} outgoing={outgoing} peers={peers}>
          {buttons}
        </State>
      )}
    </TransferCard>
  );
}

interface StateProps extends OutgoingCardProps {
  readonly outgoing: Outgoing;
  /** Buttons after those of the state. */
  readonly children: ReactNode;
}

function State({ zone, outgoing, peers, children }: StateProps) {
  const status = useApi(call("getOutgoingTransferStatus", { zone_id: zone.id })).data?.result;
  const isOn = status === "Enabled";
  const turn = useApiMutation(
    () => call(!isOn ? "enableOutgoingTransfer" : "disableOutgoingTransfer", { zone_id: zone.id }),
    {
      onSuccess: ({ result }) =>
        showDone(
          result === "Enabled" ? "The zone goes to its peers." : "The zone goes to its peers no more.",
        ),
    },
  );
  const notify = useApiMutation(() => call("forceNotifyOfZone", { zone_id: zone.id }), {
    onSuccess: () => showDone("The peers are being notified."),
  });
  return (
    <>
      {zone.status !== "active" && (
        <Alert color="yellow">Nothing is transferred until the zone is active.</Alert>
      )}
      <Facts
        facts={{
          State: status === undefined ? "…" : <StatusBadge status={isOn ? "enabled" : "disabled"} />,
          "Serial of the zone": String(outgoing.soa_serial),
          "A peer last answered": <Timestamp at={outgoing.checked_time} never="Not yet" />,
          "A peer last fetched it": <Timestamp at={outgoing.last_transferred_time} never="Not yet" />,
        }}
      />
      <NotifiedPeers zone={zone} peers={peers} isOn={isOn} refetchMs={transferRefreshMs} />
      <ErrorAlert title="The transfer was not changed" error={turn.error ?? notify.error} />
      <Group gap="xs">
        <Button
          variant={isOn ? "default" : "filled"}
          disabled={status === undefined}
          loading={turn.isPending}
          onClick={() => turn.mutate(undefined)}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
        {isOn && (
          <Button variant="default" loading={notify.isPending} onClick={() => notify.mutate(undefined)}>
            Notify the peers
          </Button>
        )}
        {children}
      </Group>
    </>
  );
}

interface NotifiedPeersProps {
  readonly zone: Zone;
  readonly peers: readonly Peer[];
  /** Whether peers are notified at all. */
  readonly isOn: boolean;
  readonly refetchMs: number;
}

/** The last notification of each peer of a zone, and whether that was of the current zone. */
function NotifiedPeers({ zone, peers, isOn, refetchMs }: NotifiedPeersProps) {
  const query = useApi(call("listNotifiedPeers", { zone_id: zone.id }), { refetchInterval: refetchMs });
  const mayNotify = isOn && zone.status === "active";
  const columns = useMemo(() => columnsOf(peers, mayNotify), [peers, mayNotify]);
  return (
    <DataTable
      label="Peers of the zone"
      query={query}
      rowId={({ id }) => id}
      columns={columns}
      empty={<EmptyList title="No peers" />}
    />
  );
}

function columnsOf(peers: readonly Peer[], mayNotify: boolean): readonly Column<NotifiedPeer>[] {
  const choices = peerChoices(peers);
  const known = new Map(peers.map((peer) => [peer.id, peer]));
  const stateOf = ({ id, is_current: isCurrent }: NotifiedPeer): string => {
    if (isCurrent) return "notified";
    const peer = known.get(id);
    if (peer !== undefined && peer.ip === undefined) return "without an address";
    return mayNotify ? "pending" : "not notified";
  };
  return [
    { key: "peer", header: "Peer", cell: ({ id }) => choices[id] ?? id },
    {
      key: "serial",
      header: "Notified of serial",
      cell: ({ notified_serial: serial }) => (serial === null ? "–" : String(serial)),
    },
    { key: "state", header: "State", cell: (peer) => <StatusBadge status={stateOf(peer)} /> },
  ];
}
