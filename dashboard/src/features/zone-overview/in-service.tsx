import { Card, Title } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import type { ReactNode } from "react";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { type ApiError, notConfiguredCode } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { counted } from "../../components/counted.ts";
import { Facts } from "../../components/facts.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

/** Whether edges serve a zone, and where it is transferred. Asked for once it is in sight, as a first visit has enough to load. */
export function InService({ zone }: { readonly zone: Zone }) {
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
