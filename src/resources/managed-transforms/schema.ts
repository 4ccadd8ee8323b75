import { Type, type Static } from "@sinclair/typebox";

const Transform = Type.Object({
  id: Type.String({ description: "Name of the managed transform, `add_visitor_location_headers`." }),
  enabled: Type.Boolean(),
  has_conflict: Type.Boolean({ description: "Whether one that is on keeps it from being turned on." }),
  conflicts_with: Type.Optional(Type.Array(Type.String())),
});

export const ManagedTransforms = Type.Object({
  managed_request_headers: Type.Array(Transform),
  managed_response_headers: Type.Array(Transform),
});
export type ManagedTransforms = Static<typeof ManagedTransforms>;

const Changes = Type.Optional(
  Type.Array(Type.Object({ id: Type.String(), enabled: Type.Boolean() }), { maxItems: 100 }),
);

/** Transforms left out stay. */
export const EditManagedTransformsBody = Type.Object({
  managed_request_headers: Changes,
  managed_response_headers: Changes,
});
export type EditManagedTransformsBody = Static<typeof EditManagedTransformsBody>;
