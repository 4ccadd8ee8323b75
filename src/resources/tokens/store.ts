import type { Page, PageRequest } from "../../core/page.ts";
import type { Timestamp } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db, TokenRow } from "../../storage/tables.ts";
import type { TokenOwner } from "./owner.ts";

export async function insertToken(db: Db, row: TokenRow): Promise<void> {
  await db.insertInto("tokens").values(row).execute();
}

export async function updateToken(db: Db, id: string, change: Partial<TokenRow>): Promise<void> {
  await db.updateTable("tokens").set(change).where("id", "=", id).execute();
}

export async function deleteTokenRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("tokens").where("id", "=", id).execute();
}

export async function selectTokenBySecretHash(db: Db, secretHash: string): Promise<TokenRow | undefined> {
  return db.selectFrom("tokens").selectAll().where("secret_hash", "=", secretHash).executeTakeFirst();
}

export async function selectTokenById(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function selectToken(db: Db, owner: TokenOwner, id: string): Promise<TokenRow | undefined> {
  return tokensOf(db, owner).selectAll().where("id", "=", id).executeTakeFirst();
}

export async function selectTokenByName(
  db: Db,
  owner: TokenOwner,
  name: string,
): Promise<TokenRow | undefined> {
  return tokensOf(db, owner).selectAll().where("name", "=", name).orderBy("id").limit(1).executeTakeFirst();
}

/** `expiresAfter` leaves out the tokens whose time is over then. */
export async function selectTokens(
  db: Db,
  owner: TokenOwner,
  { expiresAfter }: { readonly expiresAfter: string | undefined },
  page: PageRequest<"issued_on" | "name">,
): Promise<Page<TokenRow>> {
  let query = tokensOf(db, owner);
  if (expiresAfter !== undefined) {
    query = query.where((expression) =>
      expression.or([expression("expires_on", "is", null), expression("expires_on", ">", expiresAfter)]),
    );
  }
  return selectPage(
    query.selectAll().orderBy(page.order, page.direction).orderBy("id", page.direction),
    page,
  );
}

export async function countTokens(db: Db, owner: TokenOwner): Promise<number> {
  return countRows(tokensOf(db, owner));
}

/** Several instances note the use of a token: the latest stays, and in one order they do not wait for each other. */
export async function updateLastUsed(
  tx: Db,
  uses: readonly (readonly [tokenId: string, usedOn: Timestamp])[],
): Promise<void> {
  for (const [id, last_used_on] of uses.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    await tx
      .updateTable("tokens")
      .set({ last_used_on })
      .where("id", "=", id)
      .where((token) =>
        token.or([token("last_used_on", "is", null), token("last_used_on", "<", last_used_on)]),
      )
      .execute();
  }
}

function tokensOf(db: Db, owner: TokenOwner) {
  const tokens = db.selectFrom("tokens");
  return "userId" in owner
    ? tokens.where("user_id", "=", owner.userId)
    : tokens.where("account_id", "=", owner.accountId);
}
