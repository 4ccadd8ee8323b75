import { Type, type Static } from "@sinclair/typebox";

import { OptionalNullable, OneOf } from "../../operation/schema.ts";

const Mode = OneOf(["block", "challenge", "js_challenge", "managed_challenge", "whitelist"], {
  description: "What is done with requests from there.",
});

const Target = OneOf(["ip", "ip6", "ip_range", "asn", "country"]);

const Configuration = Type.Object({
  target: Target,
  value: Type.String({
    maxLength: 64,
    description: "An address, a range in CIDR notation, `AS64496`, or a country code.",
  }),
});
export type AccessRuleConfiguration = Static<typeof Configuration>;

/** An IP Access Rule of a zone, an account or a user. */
export const AccessRule = Type.Object({
  id: Type.String({ description: "Identifier of the rule, 32 hexadecimal characters." }),
  paused: Type.Boolean(),
  modified_on: Type.String({ format: "date-time" }),
  allowed_modes: Type.Array(Mode),
  mode: Mode,
  notes: Type.String(),
  configuration: Configuration,
  scope: Type.Object({
    id: Type.String(),
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    type: OneOf(["zone", "organization", "user"]),
  }),
  created_on: Type.String({ format: "date-time" }),
});
export type AccessRule = Static<typeof AccessRule>;

const Notes = OptionalNullable(Type.String({ maxLength: 1_000 }));

export const CreateAccessRuleBody = Type.Object({ mode: Mode, configuration: Configuration, notes: Notes });
export type CreateAccessRuleBody = Static<typeof CreateAccessRuleBody>;

/** Omitted fields keep their values. The configuration of a rule cannot be changed. */
export const EditAccessRuleBody = Type.Object({ mode: Type.Optional(Mode), notes: Notes });
export type EditAccessRuleBody = Static<typeof EditAccessRuleBody>;

export const ListAccessRulesQuery = Type.Object({
  mode: Type.Optional(Mode),
  "configuration.target": Type.Optional(Target),
  "configuration.value": Type.Optional(
    Type.String({
      description:
        "Exact, in any form of an address or range; or its beginning in the short form, followed by `*`.",
    }),
  ),
  notes: Type.Optional(Type.String({ description: "Any part of the notes; case does not matter." })),
  match: Type.Optional(OneOf(["any", "all"])),
});
export type ListAccessRulesQuery = Static<typeof ListAccessRulesQuery>;
