import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OptionalNullable, OneOf } from "../../operation/schema.ts";

const Match = Type.Optional(OneOf(["any", "all"]));

const Sensitivity = OneOf(["high", "medium", "low", "off"]);
const ActionMode = OneOf(["simulate", "block", "challenge"]);

/** A package of rules of the previous version (docs/contract/previous-waf.md). */
export const WafPackage = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  detection_mode: OneOf(["traditional", "anomaly"]),
  zone_id: Type.String(),
  status: Type.Literal("active"),
  sensitivity: Type.Optional(Sensitivity),
  action_mode: Type.Optional(ActionMode),
});
export type WafPackage = Static<typeof WafPackage>;

/** Only an anomaly package can be changed. */
export const EditWafPackageBody = Type.Object({
  sensitivity: OptionalNullable(Sensitivity),
  action_mode: OptionalNullable(ActionMode),
});
export type EditWafPackageBody = Static<typeof EditWafPackageBody>;

export const ListWafPackagesQuery = Type.Object({ name: Type.Optional(Type.String()), match: Match });

const OnOff = OneOf(["on", "off"]);

export const WafGroup = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  rules_count: Type.Integer(),
  modified_rules_count: Type.Integer({ description: "Rules whose mode is not the default." }),
  package_id: Type.String(),
  mode: OnOff,
  allowed_modes: Type.Array(OnOff),
});
export type WafGroup = Static<typeof WafGroup>;

export const EditWafGroupBody = Type.Object({ mode: OnOff });

export const ListWafGroupsQuery = Type.Object({
  name: Type.Optional(Type.String()),
  mode: Type.Optional(OnOff),
  rules_count: Type.Optional(Type.Integer({ minimum: 0 })),
  match: Match,
});

/** A rule: on or off in an anomaly package, with an action of its own in a traditional one. */
export const WafRule = Type.Object({
  id: Type.String(),
  description: Type.String(),
  priority: Type.String(),
  group: Type.Object({ id: Type.String(), name: Type.String() }),
  package_id: Type.String(),
  mode: Type.String(),
  default_mode: Type.Optional(Type.String()),
  allowed_modes: Type.Array(Type.String()),
});
export type WafRule = Static<typeof WafRule>;

export const EditWafRuleBody = Type.Object({ mode: Type.String({ maxLength: 16 }) });

export const ListWafRulesQuery = Type.Object({
  description: Type.Optional(Type.String({ description: "Any part of it; case does not matter." })),
  mode: Type.Optional(OneOf(["DIS", "CHL", "BLK", "SIM"])),
  group_id: Type.Optional(Type.String()),
  priority: Type.Optional(Type.String()),
  match: Match,
});

const OverrideMode = OneOf(["default", "disable", "simulate", "block", "challenge"]);
const Modes = Type.Record(Type.String(), OverrideMode);

/** Other modes for some URLs. A zone with an override cannot migrate. */
export const WafOverride = Type.Object({
  id: Type.String({ description: "Identifier of the override, 32 hexadecimal characters." }),
  paused: Type.Boolean(),
  urls: Type.Array(Type.String()),
  priority: Type.Integer(),
  groups: Modes,
  rules: Modes,
  rewrite_action: Modes,
  description: Nullable(Type.String()),
});
export type WafOverride = Static<typeof WafOverride>;

export const WafOverrideBody = Type.Object({
  urls: Type.Array(Type.String({ maxLength: 1_024 }), { minItems: 1, maxItems: 100 }),
  paused: OptionalNullable(Type.Boolean()),
  priority: OptionalNullable(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
  groups: OptionalNullable(Modes),
  rules: OptionalNullable(Modes),
  rewrite_action: OptionalNullable(Modes),
  description: OptionalNullable(Type.String({ maxLength: 1_024 })),
});
export type WafOverrideBody = Static<typeof WafOverrideBody>;

/** A package in a seed file: what `editWafPackage`, `editWafGroup` and `editWafRule` take, with the ids. */
export const WafPackagePreset = Type.Composite([
  Type.Object({ id: Type.String() }),
  EditWafPackageBody,
  Type.Object({
    groups: Type.Optional(Type.Array(Type.Object({ id: Type.String(), mode: OnOff }))),
    rules: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), mode: Type.String({ maxLength: 16 }) })),
    ),
  }),
]);
export type WafPackagePreset = Static<typeof WafPackagePreset>;
