import { Type, type Static } from "@sinclair/typebox";

import { shownInForce } from "../../core/in-force/in-force.ts";
import { settingsInForce } from "../../core/in-force/settings.ts";
import { catalogue, developmentMode } from "../../core/zone-settings/catalogue.ts";
import { Nullable } from "../../operation/schema.ts";

/** A setting of a zone in answers: for some, `enabled` has the same value as `value`. */
export interface ZoneSetting {
  readonly id: string;
  readonly value: unknown;
  readonly enabled?: unknown;
  readonly modified_on: string | null;
  readonly time_remaining?: number;
  readonly editable: boolean;
}

const modified_on = { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] };
const time_remaining = {
  type: "integer",
  description: "Seconds until it ends, negative since it last did.",
};
const editable = {
  type: "boolean",
  description: "Whether the plan of the zone, and of `waf` its version, lets it be changed.",
};

/** One alternative for each setting of the catalogue. */
export const ZoneSetting = Type.Unsafe<ZoneSetting>({
  anyOf: [...catalogue].map(([id, { description, values, initial, key }]) => {
    const value = { ...values.schema, default: initial };
    const properties = {
      id: { const: id },
      value,
      ...(key && { [key]: value }),
      modified_on,
      ...(id === developmentMode && { time_remaining }),
      editable,
    };
    const shown = settingsInForce[id];
    return {
      type: "object",
      description: shown === undefined ? description : `${description} ${shownInForce(shown)}`,
      properties,
      required: Object.keys(properties),
    };
  }),
});

/** The catalogue checks the value. */
const change = {
  value: Type.Optional(Type.Unknown({ description: "The new value, in the form that the setting has." })),
  enabled: Type.Optional(Type.Unknown({ description: "The same for the settings that answer `enabled`." })),
};

export const EditZoneSettingBody = Type.Object(change);
export type EditZoneSettingBody = Static<typeof EditZoneSettingBody>;

export const EditZoneSettingsBody = Type.Object({
  items: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({ id: Type.String({ maxLength: 64, description: "Name of the setting." }), ...change }),
        {
          maxItems: 1_000,
          description: "Changed in this order, all or none of them.",
        },
      ),
    ),
  ),
});
export type EditZoneSettingsBody = Static<typeof EditZoneSettingsBody>;
