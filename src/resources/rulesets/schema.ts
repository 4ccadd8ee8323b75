import { Type } from "@sinclair/typebox";

import { phases } from "../../core/expression/phases.ts";
import { describeStored } from "../../core/in-force/in-force.ts";
import { actionsInForce, configurationInForce, phasesInForce } from "../../core/in-force/rules.ts";
import { actions } from "../../core/rulesets/phases.ts";
import type { Ruleset as RulesetOfCore } from "../../core/rulesets/ruleset.ts";
import { Nullable, OneOf } from "../../operation/schema.ts";

const parameters = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }));

const actionsHere = `Stored, not in force here: ${describeStored(actionsInForce)}.`;

const Rule = Type.Object({
  id: Type.String(),
  version: Type.String({ description: "A decimal number that goes up with every change of the rule." }),
  action: OneOf(actions, { description: actionsHere }),
  action_parameters: parameters("What the action needs."),
  categories: Type.Optional(Type.Array(Type.String(), { description: "Rules of managed rulesets." })),
  expression: Type.String(),
  description: Type.String(),
  last_updated: Type.String({ format: "date-time" }),
  ref: Type.String({
    description: "Stays the same from version to version; the id unless another one was sent.",
  }),
  enabled: Type.Boolean(),
  logging: Type.Optional(Type.Object({ enabled: Type.Boolean() }, { description: "Rules that skip." })),
  ratelimit: parameters("Rules of the phase `http_ratelimit`."),
  exposed_credential_check: parameters("Where a request holds the credentials to look up."),
  score_threshold: Type.Optional(Type.Integer({ description: "The sum of scores at which the rule acts." })),
});

export const RulesetHead = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  source: Type.Optional(Type.String()),
  kind: OneOf(["managed", "custom", "root", "zone"]),
  version: Type.String({ description: "A decimal number that goes up with every change." }),
  last_updated: Type.String({ format: "date-time" }),
  phase: OneOf(phases, {
    description: `Stored, not in force here: ${describeStored(phasesInForce)}.`,
  }),
});

/** A ruleset (docs/contract/rulesets.md#objects); null on a dry run. */
export const Ruleset = Type.Unsafe<RulesetOfCore>(
  Nullable(Type.Composite([RulesetHead, Type.Object({ rules: Type.Array(Rule) })])),
);

const field = (description: string) => Type.Optional(Type.Unknown({ description }));

/**
 * A rule as it is sent. `core/rulesets` checks it instead of this schema: what is valid depends on the phase
 * and the action, and each error has its own code.
 */
const RuleBody = Type.Object({
  id: field("Id of the rule that it replaces; left out or empty for a new one."),
  ref: field("Reference; finds the rule that it replaces where there is no id."),
  action: field(`What to do with requests for which the expression holds. ${actionsHere}`),
  expression: field("Filter expression of at most 4,096 octets; `true` for every request."),
  description: field("Text of at most 500 characters."),
  enabled: field("Boolean; true where it is left out."),
  action_parameters: field(
    `What the action needs. Unknown fields are refused. Of \`set_config\` stored, not in force here: ${describeStored(configurationInForce)}.`,
  ),
  logging: field("`{enabled}`, for rules that skip."),
  ratelimit: field("Characteristics, period and threshold, in the phase `http_ratelimit`."),
  exposed_credential_check: field("`{username_expression, password_expression}`"),
});

export const PositionedRuleBody = Type.Composite([
  RuleBody,
  Type.Object({
    position: field(
      '`{before: id}`, `{after: id}` ("" is the first or the last place), or `{index}` from 1.',
    ),
  }),
]);

const rules = field("List of rules, in the order in which they run.");
const name = field("Text of at most 255 characters.");
const description = field("Text of at most 500 characters.");

export const CreateRulesetBody = Type.Object({
  name,
  kind: field("`zone` for zones; `root` (an entry point) or `custom` for accounts."),
  phase: field("When its rules run."),
  description,
  rules,
});

export const ReplaceRulesetBody = Type.Object(
  { name, description, rules },
  { description: "Fields left out stay." },
);

/** For queries that support dry runs. */
export const DryRun = {
  dry_run: Type.Optional(
    Type.Boolean({ description: "Check, change nothing, and answer null instead of a ruleset." }),
  ),
};
export const DryRunQuery = Type.Object(DryRun);
