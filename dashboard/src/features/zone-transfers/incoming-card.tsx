import { Button, Group } from "@mantine/core";
import { useMemo } from "react";

import type { Incoming, IncomingBody, Peer } from "../../../../src/resources/zone-transfers/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { choicesField, numberField } from "../../components/resource/field.tsx";
import { durationText } from "../../components/setting-words.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { peerChoices, PeerNames } from "./peers.tsx";
import { TransferCard } from "./transfer-card.tsx";
import { showDone } from "../../components/notices.tsx";

interface IncomingCardProps {
  readonly zone: Zone;
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
    create: (draft: IncomingDraft) => call("createIncomingTransfer", { zone_id: id }, bodyOf(draft)),
    edit: (_: Incoming, draft: IncomingDraft) =>
      call("replaceIncomingTransfer", { zone_id: id }, bodyOf(draft)),
    remove: () => call("deleteIncomingTransfer", { zone_id: id }),
  };
}

/** The name servers that a secondary zone comes from, and its age. */
export function IncomingCard({ zone, peers }: IncomingCardProps) {
  const resource = useMemo(() => incomingTransfer(zone, peers), [zone, peers]);
  const whole = useApiMutation(() => call("forceAxfrOfZone", { zone_id: zone.id }), {
    onSuccess: () => showDone("The zone is being fetched."),
  });
  return (
    <TransferCard
      title="Where the zone comes from"
      description="This zone is a copy of its primary servers': its records are fetched from them and can only be read here."
      call={call("getIncomingTransfer", { zone_id: zone.id })}
      refetchMs={transferRefreshMs}
      resource={resource}
      peersNoun="primary servers"
      hasPeers={peers.length > 0}
    >
      {(incoming, buttons) => (
        <>
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
            {buttons}
          </Group>
        </>
      )}
    </TransferCard>
  );
}
