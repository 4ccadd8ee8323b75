import { Type, type Static } from "@sinclair/typebox";

import { DryRun } from "../rulesets/rulesets.ts";
import { OneOf } from "../../operation/schema.ts";

export const MigrationQuery = Type.Object({
  phase_two: Type.Optional(
    Type.String({
      description:
        "`1`: by the rules in force since September 2022, under which nearly all zones can migrate.",
    }),
  ),
});
export type MigrationQuery = Static<typeof MigrationQuery>;

/** The last two are for the entry point of a zone's managed phase. */
export const ReplaceEntryPointQuery = Type.Object({
  ...DryRun,
  waf_migration: Type.Optional(
    OneOf(["pending", "1", "validation", "2"], {
      description:
        "Migrate from the previous WAF managed rules: `pending` (or `1`) to complete, `validation` (or `2`) to run both versions.",
    }),
  ),
  phase_two: Type.Optional(Type.String()),
});

const MigrationState = OneOf(["start", "validation", "complete"], {
  description: "`start`: previous version only. `validation`: both. `complete`: new version only.",
});

/** Whether a zone can migrate (docs/contract/waf-migration.md). */
export const MigrationCheck = Type.Object({
  compatible: Type.Boolean(),
  migration_state: MigrationState,
});
export type MigrationCheck = Static<typeof MigrationCheck>;

/** The entry point that replaces the zone's previous version. */
export const ProposedConfiguration = Type.Object({
  name: Type.String(),
  rules: Type.Array(
    Type.Object({
      id: Type.Literal(""),
      version: Type.Literal(""),
      action: OneOf(["execute", "skip"]),
      expression: Type.String(),
      description: Type.String(),
      ref: Type.Literal(""),
      enabled: Type.Boolean(),
      action_parameters: Type.Record(Type.String(), Type.Unknown()),
      logging: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    }),
  ),
});

const VersionStatus = OneOf(["enabled", "disabled"], {
  description:
    "Whether the version is in force. One that is may have all of its rules disabled, and stops nothing then.",
});

/** The versions of the managed rules in force, regardless of the setting `waf`. */
export const MigrationStatus = Type.Object({
  created: Type.String({ format: "date-time", description: "When the zone entered this state." }),
  migration_state: MigrationState,
  new_waf_status: VersionStatus,
  old_waf_status: VersionStatus,
  source: Type.Literal("zone"),
});
export type MigrationStatus = Static<typeof MigrationStatus>;
