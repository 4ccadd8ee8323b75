import { Card, Select, Stack, Switch, Text, Title } from "@mantine/core";
import { useState } from "react";

import type { TotalTls } from "../../../../src/resources/certificate-packs/schema.ts";
import { type BodyOf, call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { showDone } from "../../components/notices.tsx";

interface AutomaticCertificatesProps {
  readonly zoneId: string;
  /** Whether control of the hosts of a pack is still to be proven. */
  readonly isValidating: boolean;
}

/** Certificates that come by themselves: the universal pack and Total TLS, and how far their validation is. */
export function AutomaticCertificates({ zoneId, isValidating }: AutomaticCertificatesProps) {
  return (
    <section>
      <Title order={2} mb="sm">
        Automatic certificates
      </Title>
      <Card withBorder padding="lg">
        <Stack gap="lg">
          <Universal zoneId={zoneId} />
          <Total zoneId={zoneId} />
          {isValidating && <Verification zoneId={zoneId} />}
        </Stack>
      </Card>
    </section>
  );
}

function Universal({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getUniversalSettings", { zone_id: zoneId }));
  const [isAsking, setAsking] = useState(false);
  const change = useApiMutation(
    (enabled: boolean) => call("editUniversalSettings", { zone_id: zoneId }, { enabled: enabled }),
    {
      onSuccess: ({ result: { enabled } }) => {
        showDone(`The universal pack is turned ${enabled ? "on" : "off"}.`);
        setAsking(false);
      },
    },
  );
  return (
    <>
      <Switch
        label="Universal pack"
        description="The zone and the names directly below it, while the zone is active"
        checked={data?.result.enabled ?? false}
        disabled={data === undefined || change.isPending}
        onChange={(event) => {
          if (event.currentTarget.checked) change.mutate(true);
          else setAsking(true);
        }}
      />
      <ErrorAlert error={error ?? (isAsking ? null : change.error)} />
      {isAsking && (
        <ConfirmModal
          opened
          onClose={() => setAsking(false)}
          title="Turn the universal pack off"
          action="Turn it off"
          pending={change.isPending}
          error={change.error}
          call={call("editUniversalSettings", { zone_id: zoneId }, { enabled: false })}
          onConfirm={() => change.mutate(false)}
        >
          Its certificates and their keys are deleted. Names that no other pack covers have none then.
        </ConfirmModal>
      )}
    </>
  );
}

type Authority = NonNullable<TotalTls["certificate_authority"]>;

const authorities: Readonly<Record<Authority, string>> = {
  google: "Google Trust Services",
  lets_encrypt: "Let's Encrypt",
  ssl_com: "SSL.com",
};

function Total({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getTotalTls", { zone_id: zoneId }));
  const change = useApiMutation(
    (body: BodyOf<"editTotalTls">) => call("editTotalTls", { zone_id: zoneId }, body),
    {
      invalidates: [call("listCertificatePacks", { zone_id: zoneId })],
      onSuccess: ({ result: { enabled } }) => showDone(`Total TLS is ${enabled ? "on" : "off"}.`),
    },
  );
  const settings = data?.result;
  return (
    <Stack gap="sm">
      <Switch
        label="Total TLS"
        description="A pack for each name with a proxied record that no other pack covers"
        checked={settings?.enabled ?? false}
        disabled={settings === undefined || change.isPending}
        onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
      />
      {settings?.enabled === true && (
        <Select
          label="Authority of its packs from now on"
          maw="20rem"
          allowDeselect={false}
          comboboxProps={{ portalProps: { target: "#page" } }}
          data={Object.entries(authorities).map(([value, label]) => ({ value, label }))}
          value={settings.certificate_authority ?? "google"}
          onChange={(authority) => {
            if (authority === null) return;
            change.mutate({
              enabled: true,
              certificate_authority: authority as Authority,
            });
          }}
        />
      )}
      <ErrorAlert title="Total TLS was not changed" error={error ?? change.error} />
    </Stack>
  );
}

function Verification({ zoneId }: { readonly zoneId: string }) {
  const { data } = useApi(call("getCertificateVerification", { zone_id: zoneId }));
  if (data === undefined || data.result.length === 0) return undefined;
  const verified = data.result.filter(({ verification_status }) => verification_status).length;
  return (
    <Text size="sm" role="status">
      {verified === data.result.length
        ? "Control of the hosts of every pack was proven."
        : `Control of the hosts was proven for ${verified} of ${data.result.length} packs.`}
    </Text>
  );
}
