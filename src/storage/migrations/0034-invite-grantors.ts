import { toJson } from "../columns.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * The senders of an invite, whose rights at its acceptance bound what it grants. Filled in for existing
 * invites with a known sender; the others, and those of an instance of the version before, expire within a
 * week.
 */
export const addInviteGrantors: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("memberships").addColumn("grantors", text).execute();
  const invites = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.email", "memberships.invited_by")
    .select(["memberships.id", "users.id as sender_id"])
    .where("memberships.status", "=", "pending")
    .execute();
  for (const { id, sender_id } of invites) {
    await db
      .updateTable("memberships")
      .set({ grantors: toJson([sender_id]) })
      .where("id", "=", id)
      .execute();
  }
};
