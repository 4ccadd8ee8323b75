import type { SchemaChange } from "./schema-change.ts";

/** The URL normalization of zones, and the managed transforms that are on. */
export const createRequestTransforms: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("url_normalizations")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("scope", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("managed_transforms")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("transform", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("managed_transforms_key", ["zone_id", "transform"])
    .execute();
};
