import { foldEmail } from "../../core/email.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * E-mail addresses were compared in lower case by Unicode, by which different addresses are equal; now only A to Z are folded.
 * Addresses of users keep their members; invites to addresses that nobody has yet stay as they were written down.
 */
export const foldEmailsAnew: SchemaChange = async (db) => {
  const users = await db.selectFrom("users").select(["id", "email", "email_folded"]).execute();
  for (const { id, email, email_folded: before } of users) {
    const email_folded = foldEmail(email);
    if (email_folded === before) continue;
    await db.updateTable("users").set({ email_folded }).where("id", "=", id).execute();
    await db
      .updateTable("memberships")
      .set({ email_folded })
      .where("email_folded", "=", before)
      .where(({ or, eb }) => or([eb("user_id", "=", id), eb("user_id", "is", null)]))
      .execute();
  }
};
