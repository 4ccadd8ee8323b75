import { announceChanges } from "./0019-access-changes.ts";
import type { SchemaChange } from "./schema-change.ts";

/** What users prove at sign-in besides the password, and which accounts require it. */
export const createSecondFactors: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("users").addColumn("second_factor_since", text).execute();
  await db.schema.alterTable("accounts").addColumn("enforces_two_factor", "integer").execute();
  await announceChanges(db, "accounts", "update of enforces_two_factor");
  await db.schema
    .createTable("totp_secrets")
    .addColumn("user_id", text, (column) =>
      column.notNull().primaryKey().references("users.id").onDelete("cascade"),
    )
    .addColumn("secret", text, (column) => column.notNull())
    .addColumn("confirmed_on", text)
    .addColumn("used_step", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("code_hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "code_hash"])
    .execute();
  await db.schema
    .createTable("passkeys")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("credential_id", text, (column) => column.notNull().unique())
    .addColumn("public_key", text, (column) => column.notNull())
    .addColumn("signature_count", "integer", (column) => column.notNull())
    .addColumn("transports", text, (column) => column.notNull())
    .addColumn("site", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("last_used_on", text)
    .execute();
  await db.schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();
  await db.schema
    .createTable("sign_in_challenges")
    .addColumn("token_hash", text, (column) => column.notNull().primaryKey())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("purpose", text, (column) => column.notNull())
    .addColumn("challenge", text, (column) => column.notNull())
    .addColumn("expires_on", text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sign_in_challenges_user").on("sign_in_challenges").column("user_id").execute();
};
