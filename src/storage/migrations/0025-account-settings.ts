import type { SchemaChange } from "./schema-change.ts";

/** The type and the settings of an account that can be chosen; an instance of the version before writes neither. */
export const addAccountSettings: SchemaChange = async (db, { text }) => {
  for (const column of ["type", "abuse_contact_email"]) {
    await db.schema.alterTable("accounts").addColumn(column, text).execute();
  }
};
