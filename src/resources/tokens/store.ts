import { sql } from "kysely";

import type { Page, PageRequest } from "../../core/page.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { TokenRow, TokenUsageRow } from "../../storage/schema/accounts.ts";
import type { TokenOwner } from "./token.ts";

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

/** Tokens that expire after `expiresAfter`, or all. */
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

/** Keeps the latest use of all instances; sorted so that they cannot deadlock. */
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

/** Within the number of parameters that both engines take in one statement. */
const usageRowsAtOnce = 1_000;

/**
 * Adds to the requests that other rounds and instances have counted, in an order in which they cannot
 * deadlock. Tokens that were deleted are passed over.
 */
export async function addRequests(tx: Db, counted: readonly TokenUsageRow[]): Promise<void> {
  const ordered = counted.toSorted((one, other) =>
    `${one.token_id} ${one.day}` < `${other.token_id} ${other.day}` ? -1 : 1,
  );
  for (let from = 0; from < ordered.length; from += usageRowsAtOnce) {
    const rows = ordered
      .slice(from, from + usageRowsAtOnce)
      .map(({ token_id, day, requests }) => sql`(${token_id}, ${day}, cast(${requests} as integer))`);
    await sql`
      with counted (token_id, day, requests) as (values ${sql.join(rows)})
      insert into token_usage (token_id, day, requests)
      select token_id, day, requests from counted where token_id in (select id from tokens)
      order by token_id, day
      on conflict (token_id, day) do update set requests = token_usage.requests + excluded.requests
    `.execute(tx);
  }
}

/** The days since `firstDay` with requests. */
export async function selectUsage(
  db: Db,
  tokenId: string,
  firstDay: string,
): Promise<readonly Pick<TokenUsageRow, "day" | "requests">[]> {
  return db
    .selectFrom("token_usage")
    .select(["day", "requests"])
    .where("token_id", "=", tokenId)
    .where("day", ">=", firstDay)
    .execute();
}

export async function deleteUsageBefore(tx: Db, firstDay: string): Promise<void> {
  await tx.deleteFrom("token_usage").where("day", "<", firstDay).execute();
}

function tokensOf(db: Db, owner: TokenOwner) {
  const tokens = db.selectFrom("tokens");
  return "userId" in owner
    ? tokens.where("user_id", "=", owner.userId)
    : tokens.where("account_id", "=", owner.accountId);
}
