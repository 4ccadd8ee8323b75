import { lockAccount, lockUser } from "../../operation/scope.ts";
import type { Db } from "../../storage/tables.ts";

/** The user or account that tokens belong to. */
export type TokenOwner = { readonly userId: string } | { readonly accountId: string };

/** Locks the tokens of the owner and its rights in accounts until the transaction ends. */
export async function lockOwner(tx: Db, owner: TokenOwner): Promise<void> {
  await ("userId" in owner ? lockUser(tx, owner.userId) : lockAccount(tx, owner.accountId));
}
