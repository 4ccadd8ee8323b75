import { Type, type Static } from "@sinclair/typebox";

import { dnsSettingSeconds } from "../../core/dns/served/dns-settings.ts";
import { Nullable, OneOf } from "../../operation/schema.ts";

const seconds = (of: keyof typeof dnsSettingSeconds) => {
  const [minimum, maximum] = dnsSettingSeconds[of];
  return Type.Integer({ minimum, maximum, description: "Seconds." });
};
const name = (description: string) => Type.String({ minLength: 1, maxLength: 253, description });

const NameServers = Type.Object({
  type: Type.String({
    description:
      "`.standard` behind the name of the vendor; or `custom.account` or `custom.tenant`, for a set that the server's setting `name_server_sets` names.",
  }),
  ns_set: Type.Integer({ minimum: 1, maximum: 5, description: "The number of the set; 1 for a new type." }),
});
const Soa = Type.Object({
  mname: Nullable(name("The primary name server; null for the first one of the zone.")),
  rname: name("The mailbox of who is responsible, as a name."),
  refresh: seconds("refresh"),
  retry: seconds("retry"),
  expire: seconds("expire"),
  ttl: seconds("ttl"),
  min_ttl: seconds("min_ttl"),
});
const InternalDns = Type.Object({
  reference_zone_id: Type.Optional(
    Nullable(Type.String({ description: "Cannot be set: there are no zones of internal DNS." })),
  ),
});
const Settings = Type.Object({
  flatten_all_cnames: Type.Boolean({
    description: "Every CNAME is answered with the addresses of its target.",
  }),
  foundation_dns: Type.Boolean({ description: "Always false." }),
  internal_dns: InternalDns,
  multi_provider: Type.Boolean({ description: "NS records at the apex stand beside the zone's own." }),
  nameservers: NameServers,
  ns_ttl: seconds("ns_ttl"),
  secondary_overrides: Type.Boolean({ description: "Always false." }),
  soa: Soa,
  zone_mode: OneOf(["standard", "cdn_only", "dns_only"], {
    description: "With `dns_only`, no name is proxied. `cdn_only` cannot be set.",
  }),
});

export const ZoneDnsSettings = Settings;
export type ZoneDnsSettings = Static<typeof ZoneDnsSettings>;
export const ZoneDnsSettingsBody = Type.Partial(
  Type.Composite([
    Type.Omit(Settings, ["nameservers", "soa"]),
    Type.Object({ nameservers: Type.Partial(NameServers), soa: Type.Partial(Soa) }),
  ]),
);
export type ZoneDnsSettingsBody = Static<typeof ZoneDnsSettingsBody>;

export const AccountDnsSettings = Type.Object({
  zone_defaults: Settings,
  enforce_dns_only: Type.Boolean({ description: "No name of any zone of the account is proxied." }),
});
export type AccountDnsSettings = Static<typeof AccountDnsSettings>;
export const AccountDnsSettingsBody = Type.Object({
  zone_defaults: Type.Optional(ZoneDnsSettingsBody),
  enforce_dns_only: Type.Optional(Type.Boolean()),
});
export type AccountDnsSettingsBody = Static<typeof AccountDnsSettingsBody>;
