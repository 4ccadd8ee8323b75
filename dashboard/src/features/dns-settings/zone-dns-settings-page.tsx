import { Stack } from "@mantine/core";

import type { ZoneDnsSettingsBody } from "../../../../src/resources/dns-settings/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DetailsForm } from "../../components/details-form.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { textsField } from "../../components/resource/field.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { AnswersForm, SoaForm } from "./settings-forms.tsx";

/** The DNS settings of a zone, apart from its records. */
export function ZoneDnsSettingsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const request = call("getZoneDnsSettings", { zone_id: zoneId });
  const { data, error } = useApi(request);
  const form = {
    callOf: (change: ZoneDnsSettingsBody) => call("editZoneDnsSettings", { zone_id: zoneId }, change),
  };
  return (
    <>
      <PageHeader
        title="DNS settings"
        of={zone?.name}
        description="How the zone is answered, apart from its records: in queries, transfers and exports."
        calls={[
          { title: "Get the settings", call: request },
          {
            title: "Change how long resolvers keep that a name does not exist",
            call: call("editZoneDnsSettings", { zone_id: zoneId }, { soa: { min_ttl: 600 } }),
          },
          {
            title: "Give the zone name servers of its own",
            call: call(
              "editZone",
              { zone_id: zoneId },
              { vanity_name_servers: ["ns1.example.com", "ns2.example.com"] },
            ),
          },
        ]}
      />
      {data === undefined || zone === undefined ? (
        <Pending height={320} title="The settings could not be shown" error={error} />
      ) : (
        <Stack gap="lg">
          <AnswersForm settings={data.result} {...form} />
          <NameServersForm zone={zone} standardSet={data.result.nameservers.type} />
          <SoaForm
            settings={data.result}
            {...form}
            {...(zone.type === "secondary" && {
              description:
                "Once this zone was transferred, it is answered with the SOA record of its primary server instead.",
            })}
          />
        </Stack>
      )}
    </>
  );
}

const nameServerFields = {
  names: textsField({
    label: "Name servers of its own",
    description: "Names that lead to the same servers; without any, the zone has the standard ones",
    placeholder: "ns1.example.com",
    pointer: "/vanity_name_servers",
    isOptional: true,
  }),
};

function NameServersForm({ zone, standardSet }: { readonly zone: Zone; readonly standardSet: string }) {
  const names: readonly string[] = zone.vanity_name_servers;
  return (
    <DetailsForm
      title="Name servers"
      what="name servers"
      facts={{
        "Delegate to": zone.name_servers.join(", ") || "none: a zone of this type is delegated elsewhere",
        "Standard set": standardSet,
        "Changes of secondary zones": "off: secondary zones are not changed here",
        "Advanced name servers": "off: there are none here",
      }}
      fields={nameServerFields}
      initial={{ names }}
      callOf={(draft) => call("editZone", { zone_id: zone.id }, { vanity_name_servers: [...draft.names] })}
    />
  );
}
