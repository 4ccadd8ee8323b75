import { Card, Stack, Switch, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import {
  dnssecPath,
  editDnssec,
  listZoneSigningKeys,
  type Dnssec,
  type DnssecBody,
} from "../../api/dnssec.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { Copied } from "../../components/copied.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";

/** How a zone is signed; what is switched holds at once. */
export function SigningOptions({ zoneId, dnssec }: { readonly zoneId: string; readonly dnssec: Dnssec }) {
  const [key] = useApi(listZoneSigningKeys(zoneId)).data?.result ?? [];
  const change = useApiMutation((body: DnssecBody) => editDnssec(zoneId, body), {
    invalidates: [dnssecPath(zoneId)],
    onSuccess: () => notifications.show({ color: "green", message: "The signing of the zone was changed." }),
  });
  const shown = { ...dnssec, ...(change.isPending && change.variables) };
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="md">
        How the zone is signed
      </Title>
      <Stack gap="lg">
        <Switch
          label="NSEC3 instead of NSEC"
          description="What does not exist is proved without listing the names of the zone in plain text"
          checked={shown.dnssec_use_nsec3 ?? false}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ dnssec_use_nsec3: event.currentTarget.checked })}
        />
        <Switch
          label="Several signers"
          description="Others sign the zone too: DNSKEY records at its apex stand beside its own keys, and its transfers are not signed"
          checked={shown.dnssec_multi_signer ?? false}
          disabled={change.isPending}
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
