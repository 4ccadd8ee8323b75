import { announceChanges } from "./0019-access-changes.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * Policies of members, and the resource groups that they name. An instance of the version before sees a member with
 * policies as one without roles, who may do nothing.
 */
export const createResourceGroups: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("resource_groups")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("scopes", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("resource_groups_account")
    .on("resource_groups")
    .columns(["account_id", "name"])
    .execute();
  await announceChanges(db, "resource_groups", "insert or update or delete");
  await db.schema.alterTable("memberships").addColumn("policies", text).execute();
};
