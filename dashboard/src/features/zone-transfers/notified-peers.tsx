import { useMemo } from "react";

import type { NotifiedPeer, Peer } from "../../../../src/resources/zone-transfers/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { peerChoices } from "./peer-names.tsx";

interface NotifiedPeersProps {
  readonly zone: Zone;
  /** Those of the account. */
  readonly peers: readonly Peer[];
  /** Whether peers are notified at all. */
  readonly isOn: boolean;
  readonly refetchMs: number;
}

/** What each peer of a zone was notified of, and whether that is the zone as it is now. */
export function NotifiedPeers({ zone, peers, isOn, refetchMs }: NotifiedPeersProps) {
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
