import { Type, type Static, type TSchema } from "@sinclair/typebox";

import { CreateCertificatePackBody } from "../resources/certificate-packs/schema.ts";

const Name = Type.String({ minLength: 1, maxLength: 253 });
/** A body of the API: its own operation checks it. */
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
    waf: Type.Optional(
      Type.Union([Type.Literal("previous"), Type.Literal("validation"), Type.Literal("new")]),
    ),
    status: Type.Optional(
      Type.Union([
        Type.Literal("initializing"),
        Type.Literal("pending"),
        Type.Literal("active"),
        Type.Literal("moved"),
      ]),
    ),
    type: Type.Optional(
      Type.Union([
        Type.Literal("full"),
        Type.Literal("partial"),
        Type.Literal("secondary"),
        Type.Literal("internal"),
      ]),
    ),
    records: optionalList(Body),
    settings: Type.Optional(Type.Union([Type.Array(Setting), Body])),
    page_rules: optionalList(Body),
    firewall_rules: optionalList(Body),
    waf_packages: optionalList(Body),
    waf_overrides: optionalList(Body),
    rulesets: optionalList(Body),
    certificate_packs: optionalList(CreateCertificatePackBody),
  },
  { additionalProperties: false },
);

/** A seed file (decision 3). Only names are required; what a zone holds are bodies of the API. */
export const Seed = Type.Object(
  {
    accounts: optionalList(Type.Object({ name: Name }, { additionalProperties: false })),
    invites: optionalList(
      Type.Object(
        { account: Name, email: Name, roles: optionalList(Type.String()) },
        { additionalProperties: false },
      ),
    ),
    zones: optionalList(SeedZone),
    tokens: optionalList(
      Type.Object({ name: Name, value: Type.Optional(Type.String()), policies: optionalList(Body) }),
    ),
  },
  { additionalProperties: false },
);
export type Seed = Static<typeof Seed>;
export type SeedZone = Static<typeof SeedZone>;
