import { Stack, Card, Text, Title, Switch } from "@mantine/core";

import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { Pending, ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { StageCard } from "./stage-card.tsx";
import { stageOf } from "./stages.ts";
import type { Dnssec, DnssecBody } from "../../../../src/resources/dnssec/schema.ts";
import { Copied } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { showDone } from "../../components/notices.tsx";

const waitingRefreshMs = 30_000;

/** Whether a zone is signed, and what its parent zone has to know of it. */
export function DnssecPage() {
  const { zoneId, zone } = useZoneOfPage();
  const request = call("getDnssec", { zone_id: zoneId });
  const { data, error } = useApi(request, { refetchInterval: waitingRefreshMs });
  const dnssec = data?.result;
  return (
    <>
      <PageHeader
        title="DNSSEC"
        of={zone?.name}
        aside={dnssec !== undefined && <StatusBadge status={dnssec.status} />}
        description="Signatures let resolvers refuse answers that somebody forged on the way."
        calls={[
          { title: "Get the status and the DS record", call: request },
          { title: "Turn DNSSEC on", call: call("editDnssec", { zone_id: zoneId }, { status: "active" }) },
          { title: "Look for the DS record now", call: call("editDnssec", { zone_id: zoneId }, {}) },
          {
            title: "List the keys that sign the records",
            call: call("listZoneSigningKeys", { zone_id: zoneId }),
          },
          { title: "Turn DNSSEC off", call: call("editDnssec", { zone_id: zoneId }, { status: "disabled" }) },
          { title: "Delete the keys", call: call("deleteDnssec", { zone_id: zoneId }) },
        ]}
      />
      {dnssec === undefined || zone === undefined ? (
        <Pending height={240} title="The status could not be shown" error={error} />
      ) : (
        <Stack gap="lg">
          <StageCard zone={zone} dnssec={dnssec} stage={stageOf(dnssec)} />
          {dnssec.ds !== null && <DsRecord dnssec={dnssec} ds={dnssec.ds} />}
          {(dnssec.ds !== null || dnssec.status !== "disabled") && (
            <SigningOptions zone={zone} dnssec={dnssec} />
          )}
        </Stack>
      )}
    </>
  );
}

/** The DS record for the parent zone: as one line, and in the parts that forms of registrars ask for. */
function DsRecord({ dnssec, ds }: { readonly dnssec: Dnssec; readonly ds: string }) {
  const { key_tag, algorithm, key_type, digest_type, digest_algorithm, digest, flags, public_key } = dnssec;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        DS record
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        What the registrar hands to the parent zone: the line, or its parts. A few registrars ask for the key
        instead.
      </Text>
      <Stack gap="md">
        <Copied value={ds} what="the DS record" isWhole />
        <Facts
          facts={{
            "Key tag": <Copied value={String(key_tag)} what="the key tag" />,
            Algorithm: <Numbered value={algorithm} name={key_type} what="the algorithm" />,
            "Digest type": <Numbered value={digest_type} name={digest_algorithm} what="the digest type" />,
            Digest: <Copied value={digest ?? ""} what="the digest" isWhole />,
            "Flags of the key": <Copied value={String(flags)} what="the flags" />,
            "Public key": <Copied value={public_key ?? ""} what="the public key" isWhole />,
          }}
        />
      </Stack>
    </Card>
  );
}

interface NumberedProps {
  readonly value: string | null;
  readonly name: string | null;
  readonly what: string;
}

/** A number of DNSSEC, which is what is copied, and what it is called. */
function Numbered({ value, name, what }: NumberedProps) {
  return (
    <>
      <Copied value={value ?? ""} what={what} />
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </>
  );
}

/** Options of the signing of a zone; a switched one holds at once. */
function SigningOptions({ zone, dnssec }: { readonly zone: Zone; readonly dnssec: Dnssec }) {
  const { id: zoneId } = zone;
  const [key] = useApi(call("listZoneSigningKeys", { zone_id: zoneId })).data?.result ?? [];
  const change = useApiMutation((body: DnssecBody) => call("editDnssec", { zone_id: zoneId }, body), {
    onSuccess: () => showDone("The signing of the zone was changed."),
  });
  const shown = { ...dnssec, ...(change.isPending && change.variables) };
  const isPresigned = shown.dnssec_presigned ?? false;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="md">
        How the zone is signed
      </Title>
      <Stack gap="lg">
        {zone.type === "secondary" && (
          <Switch
            label="Signed by its primary"
            description="The keys and signatures that the primary transfers are served; this server makes none of its own"
            checked={isPresigned}
            disabled={change.isPending || shown.dnssec_multi_signer === true}
            onChange={(event) => change.mutate({ dnssec_presigned: event.currentTarget.checked })}
          />
        )}
        <Switch
          label="NSEC3 instead of NSEC"
          description="What does not exist is proved without listing the names of the zone in plain text"
          checked={shown.dnssec_use_nsec3 ?? false}
          disabled={change.isPending || isPresigned}
          onChange={(event) => change.mutate({ dnssec_use_nsec3: event.currentTarget.checked })}
        />
        <Switch
          label="Several signers"
          description="Others sign the zone too: DNSKEY records at its apex stand beside its own keys, and its transfers are not signed"
          checked={shown.dnssec_multi_signer ?? false}
          disabled={change.isPending || isPresigned}
          onChange={(event) => change.mutate({ dnssec_multi_signer: event.currentTarget.checked })}
        />
        <ErrorAlert title="The signing was not changed" error={change.error} />
        {key !== undefined && (
          <Facts
            facts={{
              "Key of the records": (
                <Copied value={key.DNSKEY.PublicKey} what="the key of the records" isWhole />
              ),
              "Its flags": String(key.DNSKEY.Flags),
            }}
          />
        )}
      </Stack>
    </Card>
  );
}
