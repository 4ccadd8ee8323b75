import { Type, type Static } from "@sinclair/typebox";

import { Identifier, Nullable, OneOf } from "../../operation/schema.ts";

export const zoneTypes = ["full", "partial", "secondary", "internal"] as const;

const ZoneType = OneOf(zoneTypes, {
  description: "`full`: DNS is hosted here. `partial`: it stays where it is (a CNAME set-up).",
});
export type ZoneType = Static<typeof ZoneType>;

const ZoneStatus = OneOf(["initializing", "pending", "active", "moved"], {
  description:
    "`initializing`: its delegation was not looked up yet. `pending`: waits for its activation. `moved`: its name servers are others now, another account has proven that the name is its own, or the zone above no longer delegates to it.",
});

const Owner = Type.Object({ id: Type.String(), type: Type.String(), name: Type.String() });

/** A zone (docs/contract/zones.md). */
export const Zone = Type.Object({
  id: Type.String({ description: "Identifier of the zone, 32 hexadecimal characters." }),
  name: Type.String({ description: "Domain name, ASCII and lower case." }),
  status: ZoneStatus,
  paused: Type.Boolean({ description: "Whether the zone only resolves names and does nothing else." }),
  type: ZoneType,
  development_mode: Type.Integer({
    description: "Seconds until development mode ends, negative since it last ended; 0 when it was never on.",
  }),
  name_servers: Type.Array(Type.String(), {
    description: "Name servers to delegate the domain to; none where it is `partial`.",
  }),
  original_name_servers: Nullable(Type.Array(Type.String())),
  original_registrar: Type.Null(),
  original_dnshost: Type.Null(),
  modified_on: Type.String({ format: "date-time" }),
  created_on: Type.String({ format: "date-time" }),
  activated_on: Nullable(Type.String({ format: "date-time" })),
  vanity_name_servers: Type.Array(Type.String()),
  vanity_name_servers_ips: Type.Null(),
  verification_key: Type.Optional(
    Type.String({ description: "Partial zones: content of the TXT record that proves ownership." }),
  ),
  cname_suffix: Type.Optional(Type.String()),
  meta: Type.Object({
    step: Type.Integer(),
    custom_certificate_quota: Type.Integer(),
    page_rule_quota: Type.Integer(),
    phishing_detected: Type.Boolean(),
  }),
  owner: Owner,
  account: Type.Object({ id: Type.String(), name: Type.String() }),
  tenant: Type.Object({ id: Type.Null(), name: Type.Null() }),
  tenant_unit: Type.Object({ id: Type.Null() }),
  permissions: Type.Array(Type.String()),
  plan: Type.Object({
    id: Type.String(),
    name: Type.String(),
    price: Type.Integer(),
    currency: Type.String(),
    frequency: Type.String(),
    is_subscribed: Type.Boolean(),
    can_subscribe: Type.Boolean(),
    legacy_id: Type.String({ description: "`free`, `pro`, `business` or `enterprise`." }),
    legacy_discount: Type.Boolean(),
    externally_managed: Type.Boolean(),
  }),
});
export type Zone = Static<typeof Zone>;

export const ZoneActivation = Type.Object({
  id: Type.String(),
  status: ZoneStatus,
  waits_for: Nullable(
    Type.String({ description: "Who has to do what before the zone is served; null where it is." }),
  ),
});

export const SubdomainConsent = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "Name of a zone below this one, ASCII and lower case." }),
  account: Type.Object({ id: Type.String({ description: "The account that may have that zone." }) }),
  created_on: Type.String({ format: "date-time" }),
});
export type SubdomainConsent = Static<typeof SubdomainConsent>;

export const SubdomainConsents = Type.Array(SubdomainConsent);

export const SubdomainConsentBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 1024, description: "A name below the zone's." }),
  account: Type.Object({
    id: Identifier({ description: "Another account; it tells its id." }),
  }),
});

const operators =
  "May begin with an operator: `equal:` (default), `not_equal:`, `starts_with:`, `ends_with:`, `contains:`, or one of the last three followed by `_case_sensitive`.";

export const ListZonesQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 300, description: `Domain name. ${operators}` })),
  status: Type.Optional(ZoneStatus),
  type: Type.Optional(Type.String({ description: "One type or a comma list of them." })),
  "account.id": Type.Optional(Type.String()),
  "account.name": Type.Optional(
    Type.String({ maxLength: 300, description: `Name of the account. ${operators}` }),
  ),
  match: Type.Optional(
    OneOf(["any", "all"], {
      description: "Whether a zone must match all filters (default) or any of them.",
    }),
  ),
});
export type ListZonesQuery = Static<typeof ListZonesQuery>;

const AccountReference = Nullable(Type.Object({ id: Type.Optional(Nullable(Type.String())) }));

const VanityNameServers = Type.Optional(
  Nullable(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 10 })),
);

export const CreateZoneBody = Type.Object({
  name: Type.String({
    minLength: 1,
    // Bounds the work only: in Unicode or with a final dot a name may be longer than 253 octets.
    maxLength: 1024,
    description: "Domain name, in Unicode or in Punycode.",
  }),
  account: Type.Optional(AccountReference),
  organization: Type.Optional(AccountReference),
  type: Type.Optional(Nullable(ZoneType)),
  paused: Type.Optional(Nullable(Type.Boolean())),
  vanity_name_servers: VanityNameServers,
  jump_start: Type.Optional(
    Nullable(Type.Boolean({ description: "Accepted; records are not scanned for." })),
  ),
});
export type CreateZoneBody = Static<typeof CreateZoneBody>;

export const EditZoneBody = Type.Object({
  paused: Type.Optional(Nullable(Type.Boolean())),
  type: Type.Optional(Nullable(ZoneType)),
  vanity_name_servers: VanityNameServers,
  plan: Type.Optional(
    Nullable(Type.Object({ id: Type.String({ description: "Identifier of a plan, or its name." }) })),
  ),
});
export type EditZoneBody = Static<typeof EditZoneBody>;
