import { Type, type Static, type TSchema } from "@sinclair/typebox";

import { OneOf } from "../operation/schema.ts";

const Name = Type.String({ minLength: 1, maxLength: 253 });
/** A body of the API, which its operation checks. */
const Body = Type.Record(Type.String(), Type.Unknown());
const Setting = Type.Object({
  id: Type.String(),
  value: Type.Optional(Type.Unknown()),
  enabled: Type.Optional(Type.Unknown()),
});
const optionalList = <Schema extends TSchema>(item: Schema) => Type.Optional(Type.Array(item));

const SeedZone = Type.Object(
  {
    name: Name,
    account: Type.Optional(Name),
    plan: Type.Optional(Type.String()),
    waf: Type.Optional(OneOf(["previous", "validation", "new"])),
    status: Type.Optional(OneOf(["initializing", "pending", "active", "moved"])),
    type: Type.Optional(OneOf(["full", "partial", "secondary", "internal"])),
    records: optionalList(Body),
    settings: Type.Optional(Type.Union([Type.Array(Setting), Body])),
    page_rules: optionalList(Body),
    lockdowns: optionalList(Body),
    user_agent_rules: optionalList(Body),
    firewall_rules: optionalList(Body),
    waf_packages: optionalList(Body),
    waf_overrides: optionalList(Body),
    rulesets: optionalList(Body),
    certificate_packs: optionalList(Body),
  },
  { additionalProperties: false },
);

/** A list: the body of `POST /accounts/{id}/rules/lists` and, as `items`, that of `POST …/items`. */
const SeedList = Type.Object(
  {
    account: Type.Optional(Name),
    name: Type.Unknown(),
    kind: Type.Unknown(),
    description: Type.Optional(Type.Unknown()),
    items: optionalList(Body),
  },
  { additionalProperties: false },
);

/** A token. `Unknown` fields are checked as in the body of `POST /user/tokens`. */
const SeedToken = Type.Object(
  {
    name: Type.Unknown(),
    value: Type.String(),
    /** The account; by default that of the owner. */
    account: Type.Optional(Name),
    policies: Type.Unknown(),
    condition: Type.Optional(Type.Unknown()),
    not_before: Type.Optional(Type.Unknown()),
    expires_on: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

const SeedInvite = Type.Object(
  { account: Name, email: Name, roles: optionalList(Type.String()) },
  { additionalProperties: false },
);

/**
 * A seed file (docs/operating/seed.md). Only names are required; the parts of a zone are bodies of the API.
 */
export const Seed = Type.Object(
  {
    accounts: optionalList(Type.Object({ name: Name }, { additionalProperties: false })),
    invites: optionalList(SeedInvite),
    zones: optionalList(SeedZone),
    lists: optionalList(SeedList),
    tokens: optionalList(SeedToken),
  },
  { additionalProperties: false },
);
export type Seed = Static<typeof Seed>;
export type SeedToken = Static<typeof SeedToken>;
export type SeedList = Static<typeof SeedList>;
export type SeedZone = Static<typeof SeedZone>;
export type SeedInvite = Static<typeof SeedInvite>;
