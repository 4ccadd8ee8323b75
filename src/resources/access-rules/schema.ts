import { Type, type Static } from "@sinclair/typebox";

const Mode = Type.Union(
  [
    Type.Literal("block"),
    Type.Literal("challenge"),
    Type.Literal("js_challenge"),
    Type.Literal("managed_challenge"),
    Type.Literal("whitelist"),
  ],
  { description: "What is done with requests from there." },
);

const Target = Type.Union([
  Type.Literal("ip"),
  Type.Literal("ip6"),
  Type.Literal("ip_range"),
  Type.Literal("asn"),
  Type.Literal("country"),
]);

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
    type: Type.Union([Type.Literal("zone"), Type.Literal("organization"), Type.Literal("user")]),
  }),
  created_on: Type.String({ format: "date-time" }),
});
export type AccessRule = Static<typeof AccessRule>;

const Notes = Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]));

export const CreateAccessRuleBody = Type.Object({ mode: Mode, configuration: Configuration, notes: Notes });

/** What is left out stays. What a rule is about cannot be changed. */
export const EditAccessRuleBody = Type.Object({ mode: Type.Optional(Mode), notes: Notes });

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
  match: Type.Optional(Type.Union([Type.Literal("any"), Type.Literal("all")])),
});
export type ListAccessRulesQuery = Static<typeof ListAccessRulesQuery>;

export const AccessRuleId = Type.Object({ id: Type.String() });
