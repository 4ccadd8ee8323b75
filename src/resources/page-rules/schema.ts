import { Type, type Static } from "@sinclair/typebox";

import { describeStored } from "../../core/in-force/in-force.ts";
import { pageRuleActionsInForce } from "../../core/in-force/rules.ts";
import { Anything, OptionalNullable, OneOf } from "../../operation/schema.ts";

const Target = Type.Object({
  target: Type.Literal("url"),
  constraint: Type.Object({
    operator: Type.Optional(OneOf(["matches", "equals", "contains"])),
    value: Type.String({
      maxLength: 2_048,
      description: "URL pattern; up to four asterisks stand for any characters: `*example.com/images/*`.",
    }),
  }),
});

const Action = Type.Object({
  id: Type.String({
    description: `Name of the action, \`disable_security\`. Stored, not in force here: ${describeStored(pageRuleActionsInForce)}.`,
  }),
  value: Type.Optional(Anything()),
});

const Status = OneOf(["active", "disabled"]);
const Priority = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "Of the rules that match a URL, only the one with the highest number applies.",
});

/** A page rule: settings for the URLs that match a pattern (docs/contract/page-rules.md). */
export const PageRule = Type.Object({
  id: Type.String({ description: "Identifier of the page rule, 32 hexadecimal characters." }),
  targets: Type.Array(Target),
  actions: Type.Array(Action),
  priority: Priority,
  status: Status,
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
});
export type PageRule = Static<typeof PageRule>;

export const PageRuleBody = Type.Object({
  targets: Type.Array(Target, { minItems: 1, maxItems: 1 }),
  actions: Type.Array(Action),
  priority: OptionalNullable(Priority),
  status: OptionalNullable(Status),
});
export type PageRuleBody = Static<typeof PageRuleBody>;

export const EditPageRuleBody = Type.Partial(PageRuleBody);
export type EditPageRuleBody = Static<typeof EditPageRuleBody>;

export const ListPageRulesQuery = Type.Object({
  status: Type.Optional(Status),
  order: Type.Optional(OneOf(["priority", "status"])),
  direction: Type.Optional(Type.String({ description: "`asc` or `desc`, in upper or lower case." })),
  match: Type.Optional(OneOf(["any", "all"])),
});
export type ListPageRulesQuery = Static<typeof ListPageRulesQuery>;

export const PageRuleSetting = Type.Object({
  id: Type.String({ description: "Name of an action." }),
  properties: Type.Array(Type.Object({ name: Type.Literal("value"), rule: Type.String() })),
});
