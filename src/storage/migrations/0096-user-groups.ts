import { announceChanges } from "./0019-access-changes.ts";
import type { SchemaChange } from "./schema-change.ts";

/** Groups of members, whose policies hold for each of them. An instance of the version before does not see what they give. */
export const createUserGroups: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("user_groups")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("name_folded", text, (column) => column.notNull())
    .addColumn("policies", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("user_groups_account")
    .on("user_groups")
    .columns(["account_id", "name_folded"])
    .execute();
  await db.schema
    .createTable("user_group_members")
    .addColumn("user_group_id", text, (column) =>
      column.notNull().references("user_groups.id").onDelete("cascade"),
    )
    .addColumn("membership_id", text, (column) =>
      column.notNull().references("memberships.id").onDelete("cascade"),
    )
    .addColumn("grantors", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("user_group_members_key", ["user_group_id", "membership_id"])
    .execute();
  await db.schema
    .createIndex("user_group_members_membership")
    .on("user_group_members")
    .column("membership_id")
    .execute();
  for (const table of ["user_groups", "user_group_members"]) {
    await announceChanges(db, table, "insert or update or delete");
  }
};
