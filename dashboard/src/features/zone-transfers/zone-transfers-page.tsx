import { Skeleton, Stack } from "@mantine/core";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { AnchorLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { IncomingCard } from "./incoming-card.tsx";
import { OutgoingCard } from "./outgoing-card.tsx";

/** The name servers that a zone comes from, and those that it goes to. */
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
          {
            title: "Get the peers to which the zone goes",
            call: call("getOutgoingTransfer", { zone_id: zoneId }),
          },
          {
            title: "Name them",
            call: call("createOutgoingTransfer", { zone_id: zoneId }, { name, peers }),
          },
          {
            title: "Tell whether it goes to them",
            call: call("getOutgoingTransferStatus", { zone_id: zoneId }),
          },
          {
            title: "Let it go to them",
            call: call("enableOutgoingTransfer", { zone_id: zoneId }),
          },
          { title: "Tell what they were notified of", call: call("listNotifiedPeers", { zone_id: zoneId }) },
          { title: "Notify them", call: call("forceNotifyOfZone", { zone_id: zoneId }) },
          {
            title: "Get the peers from which the zone comes",
            call: call("getIncomingTransfer", { zone_id: zoneId }),
          },
          {
            title: "Name them",
            call: call(
              "createIncomingTransfer",
              { zone_id: zoneId },
              { name, peers, auto_refresh_seconds: 3_600 },
            ),
          },
          { title: "Fetch the zone as a whole", call: call("forceAxfrOfZone", { zone_id: zoneId }) },
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
  const peers =
    useApi(call("listTransferPeers", { account_id: zone.account.id }, wholeList)).data?.result ?? [];
  return (
    <Stack gap="lg">
      {zone.type === "secondary" && <IncomingCard zone={zone} peers={peers} />}
      <OutgoingCard zone={zone} peers={peers} />
    </Stack>
  );
}
