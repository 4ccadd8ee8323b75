import { Type, type Static } from "@sinclair/typebox";

export const ZoneHold = Type.Object({
  hold: Type.Boolean({
    description: "Whether other accounts are kept from making a zone of the same name now.",
  }),
  hold_after: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description: "Since when the zone is held, or from when on it will be again; null is never.",
  }),
  include_subdomains: Type.Boolean({ description: "Whether the names below the zone's are held as well." }),
});
export type ZoneHold = Static<typeof ZoneHold>;

const includeSubdomains = Type.Optional(
  Type.Boolean({ description: "Hold the names below the zone's as well." }),
);

export const CreateZoneHoldQuery = Type.Object({ include_subdomains: includeSubdomains });

export const DeleteZoneHoldQuery = Type.Object({
  hold_after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "RFC 3339: when the zone shall be held again; left out, it stays released.",
    }),
  ),
});

export const EditZoneHoldBody = Type.Object({
  hold_after: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description:
        "RFC 3339. A time to come releases the zone until then, one that has passed holds it, an empty text holds it from now on, null releases it.",
    }),
  ),
  include_subdomains: includeSubdomains,
});
export type EditZoneHoldBody = Static<typeof EditZoneHoldBody>;
