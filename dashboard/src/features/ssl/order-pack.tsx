import { Select, SimpleGrid, TagsInput } from "@mantine/core";
import { useState } from "react";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

const validities = [14, 30, 90, 365] as const;
const authorities = {
  google: "Google Trust Services",
  lets_encrypt: "Let's Encrypt",
  ssl_com: "SSL.com",
  digicert: "DigiCert",
} as const;
const methods = { txt: "TXT record", http: "HTTP", email: "E-mail" } as const;

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const hostsOf = ({ name }: Zone): string[] => [name, `*.${name}`];

/** Orders a certificate pack for hosts of the zone. */
export function OrderPack({ zone, onDone }: { readonly zone: Zone; readonly onDone: () => void }) {
  const [hosts, setHosts] = useState(hostsOf(zone));
  const [days, setDays] = useState<(typeof validities)[number]>(90);
  const [authority, setAuthority] = useState<keyof typeof authorities>("lets_encrypt");
  const [method, setMethod] = useState<keyof typeof methods>("txt");
  const request = call(
    "orderCertificatePack",
    { zone_id: zone.id },
    {
      type: "advanced",
      hosts,
      validation_method: method,
      validity_days: days,
      certificate_authority: authority,
    },
  );
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: () => {
      showDone("The pack was ordered; its certificates are being issued.");
      onDone();
    },
  });
  return (
    <FormModal opened onClose={onDone} title="Order a certificate pack">
      <Draft isChanged={hosts.join() !== hostsOf(zone).join()} />
      <Form onSend={() => mutate(undefined)}>
        <TagsInput
          label="Hosts"
          description={`${zone.name}, which is required, and names within it`}
          value={hosts}
          onChange={setHosts}
          error={error?.about("/hosts")}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Select
            label="Valid for"
            allowDeselect={false}
            data={validities.map((value) => ({ value: String(value), label: `${value} days` }))}
            value={String(days)}
            onChange={(value) => setDays(validities.find((known) => String(known) === value) ?? days)}
          />
          <Select
            label="Requested authority"
            allowDeselect={false}
            data={optionsOf(authorities)}
            value={authority}
            onChange={(value) => setAuthority(value as keyof typeof authorities)}
          />
          <Select
            label="Validation"
            allowDeselect={false}
            data={optionsOf(methods)}
            value={method}
            onChange={(value) => setMethod(value as keyof typeof methods)}
          />
        </SimpleGrid>
        <CurlCommand call={request} />
        <ErrorAlert title="The pack was not ordered" error={error} saidAt={["/hosts"]} />
        <FormButtons action="Order" pending={isPending} disabled={hosts.length === 0} onCancel={onDone} />
      </Form>
    </FormModal>
  );
}
