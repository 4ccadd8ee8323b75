import { Skeleton, Stack } from "@mantine/core";

import { useApi } from "../../api/query.ts";
import type { Zone } from "../../api/zones.ts";
import {
  incomingOf,
  listTransferPeers,
  notifiedPeersOf,
  notifyPeers,
  outgoingOf,
  outgoingStatusOf,
  saveIncoming,
  saveOutgoing,
  transferWhole,
  turnOutgoing,
} from "../../api/zone-transfers.ts";
import { AnchorLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { IncomingCard } from "./incoming-card.tsx";
import { OutgoingCard } from "./outgoing-card.tsx";

/** From which name servers a zone comes, and to which it goes. */
export function ZoneTransfersPage() {
  const { zoneId, zone } = useZoneOfPage();
  const name = zone?.name ?? "example.com";
  const peers = ["372e67954025e0ba6aaa6d586b9e0b59"];
  return (
    <>
      <PageHeader
        title="Zone transfers"
        of={zone?.name}
        description={zone !== undefined && <Description zone={zone} />}
        calls={[
          { title: "Get the peers to which the zone goes", call: outgoingOf(zoneId) },
          { title: "Name them", call: saveOutgoing(zoneId, "POST", { name, peers }) },
          { title: "Tell whether it goes to them", call: outgoingStatusOf(zoneId) },
          { title: "Let it go to them", call: turnOutgoing(zoneId, true) },
          { title: "Tell what they were notified of", call: notifiedPeersOf(zoneId) },
          { title: "Notify them", call: notifyPeers(zoneId) },
          { title: "Get the peers from which the zone comes", call: incomingOf(zoneId) },
          {
            title: "Name them",
            call: saveIncoming(zoneId, "POST", { name, peers, auto_refresh_seconds: 3_600 }),
          },
          { title: "Fetch the zone as a whole", call: transferWhole(zoneId) },
        ]}
      />
      {zone === undefined ? <Skeleton height={320} radius="md" /> : <Transfers zone={zone} />}
    </>
  );
}

function Description({ zone: { account } }: { readonly zone: Zone }) {
  return (
    <>
      The name servers themselves, their keys and addresses are those of the account:{" "}
      <AnchorLink
        inherit
        underline="always"
        to="/accounts/$accountId/zone-transfers/peers"
        params={{ accountId: account.id }}
      >
        transfer peers
      </AnchorLink>
      .
    </>
  );
}

function Transfers({ zone }: { readonly zone: Zone }) {
  const peers = useApi(listTransferPeers(zone.account.id)).data?.result ?? [];
  return (
    <Stack gap="lg">
      {zone.type === "secondary" && <IncomingCard zone={zone} peers={peers} />}
      <OutgoingCard zone={zone} peers={peers} />
    </Stack>
  );
}
