import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OptionalNullable, OneOf } from "../../operation/schema.ts";

/** For lists in bodies: generated clients send a single item, as OpenAPI has no list there. */
const oneOrMore = {
  minItems: 1,
  maxItems: 1_000,
  "x-accepts-one": true,
  description: "A single item may be sent without a list.",
} as const;

const Expression = Type.String({ description: "Filter expression; at most 16 KiB." });
const Description = Type.String({ maxLength: 500 });
const Ref = Type.String({ maxLength: 50, description: "A short tag of the caller's choice." });
const Id = Type.String({ maxLength: 32 });

/** The expression of a firewall rule (docs/contract/firewall-rules.md). */
export const Filter = Type.Object({
  id: Type.String({ description: "Identifier of the filter, 32 hexadecimal characters." }),
  expression: Expression,
  paused: Type.Boolean({ description: "A paused filter matches no request." }),
  description: Type.String(),
  ref: Type.Optional(Type.String()),
});
export type Filter = Static<typeof Filter>;

const filterFields = {
  paused: OptionalNullable(Type.Boolean()),
  description: OptionalNullable(Description),
  ref: OptionalNullable(Ref),
};

export const FilterFields = Type.Object({ expression: Expression, ...filterFields });
export type FilterFields = Static<typeof FilterFields>;
export const CreateFiltersBody = Type.Array(FilterFields, oneOrMore);

export const ValidatedExpression = Type.Object({ expression: Expression });

const ReplacedFilter = Type.Object({ id: Id, expression: Expression, ...filterFields });
export const ReplaceFiltersBody = Type.Array(ReplacedFilter, oneOrMore);

export const ListFiltersQuery = Type.Object({
  id: Type.Optional(Type.String()),
  paused: Type.Optional(Type.Boolean()),
  expression: Type.Optional(
    Type.String({ description: "Any part of the expression; case does not matter." }),
  ),
  description: Type.Optional(
    Type.String({ description: "Any part of the description; case does not matter." }),
  ),
  ref: Type.Optional(Type.String()),
});
export type ListFiltersQuery = Static<typeof ListFiltersQuery>;

const Action = OneOf(["block", "challenge", "js_challenge", "managed_challenge", "allow", "log", "bypass"]);

const Product = OneOf(["zoneLockdown", "uaBlock", "bic", "hot", "securityLevel", "rateLimit", "waf"]);

const Priority = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

/** A rule of the previous Firewall Rules API. */
export const FirewallRule = Type.Object({
  id: Type.String({ description: "Identifier of the rule, 32 hexadecimal characters." }),
  paused: Type.Boolean(),
  description: Type.String(),
  action: Action,
  products: Type.Optional(Type.Array(Product, { description: "What `bypass` lets requests skip." })),
  priority: Nullable(Priority),
  ref: Type.Optional(Type.String()),
  filter: Type.Union([Filter, Type.Object({ id: Type.String(), deleted: Type.Literal(true) })]),
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
});
export type FirewallRule = Static<typeof FirewallRule>;

/** An existing filter by its id, or a new one. */
const FilterOfRule = Type.Object({
  id: OptionalNullable(Id),
  expression: OptionalNullable(Expression),
  ...filterFields,
});

const ruleFields = {
  action: Action,
  filter: FilterOfRule,
  products: OptionalNullable(Type.Array(Product)),
  priority: OptionalNullable(Priority),
  paused: OptionalNullable(Type.Boolean()),
  description: OptionalNullable(Description),
  ref: OptionalNullable(Ref),
};

export const FirewallRuleFields = Type.Object(ruleFields);
export type FirewallRuleFields = Static<typeof FirewallRuleFields>;
export const CreateFirewallRulesBody = Type.Array(FirewallRuleFields, oneOrMore);
export const ReplaceFirewallRulesBody = Type.Array(Type.Object({ id: Id, ...ruleFields }), oneOrMore);

/** Omitted fields keep their values. */
export const EditFirewallRuleBody = Type.Partial(FirewallRuleFields);
export type EditFirewallRuleBody = Static<typeof EditFirewallRuleBody>;
export const EditFirewallRulesBody = Type.Array(
  Type.Composite([Type.Object({ id: Id }), Type.Partial(FirewallRuleFields)]),
  oneOrMore,
);

export const ListFirewallRulesQuery = Type.Object({
  id: Type.Optional(Type.String()),
  action: Type.Optional(Action),
  paused: Type.Optional(Type.Boolean()),
  description: Type.Optional(
    Type.String({ description: "Any part of the description; case does not matter." }),
  ),
});
export type ListFirewallRulesQuery = Static<typeof ListFirewallRulesQuery>;

export const IdsQuery = Type.Object({
  id: Type.Optional(
    Type.String({
      description: "Identifiers: one parameter for each, or separated by commas. Or in the body.",
    }),
  ),
});

/** For ids that are not in the query. */
export const IdsBody = Type.Object({
  id: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

export const DeleteFirewallRuleBody = Type.Object({
  delete_filter_if_unused: Type.Optional(
    Type.Boolean({ description: "Whether its filter goes as well, which no other rule can have." }),
  ),
});
