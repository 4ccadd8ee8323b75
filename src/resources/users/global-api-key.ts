import { invalidIdentifier } from "../../core/error.ts";
import { hashSecret, newGlobalApiKey } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import { selectUser, updateUser } from "./store.ts";

/** Gives a user another Global API Key, which is answered. Errors: 404 code 1001. */
export async function replaceGlobalApiKey(
  { now }: Pick<Context, "now">,
  tx: Db,
  userId: string,
): Promise<string> {
  if ((await selectUser(tx, userId)) === undefined) {
    throw invalidIdentifier("user");
  }
  const key = newGlobalApiKey();
  await updateUser(tx, userId, { key_hash: hashSecret(key), modified_on: toTimestamp(now()) });
  return key;
}

/** Whether it is the key of that user. */
export async function isGlobalApiKeyOf(db: Db, userId: string, key: string): Promise<boolean> {
  return (await selectUser(db, userId))?.key_hash === hashSecret(key);
}
