import { Card, Stack, Switch, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import type { Dnssec, DnssecBody } from "../../../../src/resources/dnssec/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { Copied } from "../../components/copied.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";

/** How a zone is signed; what is switched holds at once. */
export function SigningOptions({ zone, dnssec }: { readonly zone: Zone; readonly dnssec: Dnssec }) {
  const { id: zoneId } = zone;
  const [key] = useApi(call("listZoneSigningKeys", { zone_id: zoneId })).data?.result ?? [];
  const change = useApiMutation((body: DnssecBody) => call("editDnssec", { zone_id: zoneId }, body), {
    onSuccess: () => notifications.show({ color: "green", message: "The signing of the zone was changed." }),
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
