import { invalidIdentifier } from "../../core/error.ts";
import { hashSecret, newGlobalApiKey } from "../../secrets/secrets.ts";
import { selectRow, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";

/** Replaces the user's Global API Key and returns the new one. Errors: 404 code 1001. */
export async function replaceGlobalApiKey(
  { now }: Pick<Context, "now">,
  tx: Db,
  userId: string,
): Promise<string> {
  if ((await selectRow(tx, "users", { id: userId })) === undefined) {
    throw invalidIdentifier("user");
  }
  const key = newGlobalApiKey();
  await updateRow(tx, "users", userId, { key_hash: hashSecret(key), modified_on: toTimestamp(now()) });
  return key;
}

/** Whether it is the user's current key. */
export async function isGlobalApiKeyOf(db: Db, userId: string, key: string): Promise<boolean> {
  return (await selectRow(db, "users", { id: userId }))?.key_hash === hashSecret(key);
}
