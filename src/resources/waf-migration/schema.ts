import { Type, type Static } from "@sinclair/typebox";

import { DryRun } from "../rulesets/rulesets.ts";

export const MigrationQuery = Type.Object({
  phase_two: Type.Optional(
    Type.String({
      description:
        "`1`: by the rules in force since September 2022, under which nearly all zones can migrate.",
    }),
  ),
});
export type MigrationQuery = Static<typeof MigrationQuery>;

/** Of the entry point of any phase; the last two are for that of a zone's managed rules. */
export const ReplaceEntryPointQuery = Type.Object({
  ...DryRun,
  waf_migration: Type.Optional(
    Type.Union([Type.Literal("pending"), Type.Literal("1"), Type.Literal("validation"), Type.Literal("2")], {
      description:
        "Migrate from the previous WAF managed rules: `pending` (or `1`) to complete, `validation` (or `2`) to run both versions.",
    }),
  ),
  phase_two: Type.Optional(Type.String()),
});

const MigrationState = Type.Union(
  [Type.Literal("start"), Type.Literal("validation"), Type.Literal("complete")],
  { description: "`start`: previous version only. `validation`: both. `complete`: new version only." },
);

/** Whether a zone can update to the new WAF managed rules (docs/contract/waf-migration.md). */
export const MigrationCheck = Type.Object({
  compatible: Type.Boolean(),
  migration_state: MigrationState,
});
export type MigrationCheck = Static<typeof MigrationCheck>;

/** The entry point ruleset that does what the zone's previous version does. */
export const ProposedConfiguration = Type.Object({
  name: Type.String(),
  rules: Type.Array(
    Type.Object({
      id: Type.Literal(""),
      version: Type.Literal(""),
      action: Type.Union([Type.Literal("execute"), Type.Literal("skip")]),
      expression: Type.String(),
      description: Type.String(),
      ref: Type.Literal(""),
      enabled: Type.Boolean(),
      action_parameters: Type.Record(Type.String(), Type.Unknown()),
      logging: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    }),
  ),
});

const VersionStatus = Type.Union([Type.Literal("enabled"), Type.Literal("disabled")], {
  description:
    "Whether the version is in force. One that is may have all of its rules disabled, and stops nothing then.",
});

/** Which versions of the managed rules are in force, whatever the setting `waf` says. */
export const MigrationStatus = Type.Object({
  created: Type.String({ format: "date-time", description: "When the zone entered this state." }),
  migration_state: MigrationState,
  new_waf_status: VersionStatus,
  old_waf_status: VersionStatus,
  source: Type.Literal("zone"),
});
export type MigrationStatus = Static<typeof MigrationStatus>;
