import { lockAccount, lockUser } from "../../operation/scope.ts";
import type { Db } from "../../storage/tables.ts";

/** Whose tokens: a user's, or an account's. */
export type TokenOwner = { readonly userId: string } | { readonly accountId: string };

/** Nobody else changes the tokens of the owner, or its rights in accounts, until the transaction ends. */
export async function lockOwner(tx: Db, owner: TokenOwner): Promise<void> {
  await ("userId" in owner ? lockUser(tx, owner.userId) : lockAccount(tx, owner.accountId));
}
