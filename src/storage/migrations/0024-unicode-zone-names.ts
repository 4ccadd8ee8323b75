import { domainToUnicode } from "node:url";

import type { SchemaChange } from "./schema-change.ts";

/**
 * The name of a zone in Unicode where it differs. Null also for a zone that an instance of the version before
 * creates meanwhile; its name is then answered in ASCII.
 */
export const addUnicodeZoneNames: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("zones").addColumn("unicode_name", text).execute();
  const zones = await db.selectFrom("zones").select(["id", "name"]).where("name", "like", "%xn--%").execute();
  for (const { id, name } of zones) {
    const unicode = domainToUnicode(name);
    if (unicode === name || unicode === "") continue;
    await db.updateTable("zones").set({ unicode_name: unicode }).where("id", "=", id).execute();
  }
};
