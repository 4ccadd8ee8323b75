import type { Timestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListOperationRow } from "../../storage/schema/lists.ts";

const waiting = ["pending", "running"] as const;

/** An operation without what it is to do, which may be large. */
export type OperationState = Pick<ListOperationRow, "id" | "status" | "error" | "ended_on">;

export async function selectOperation(
  db: Db,
  accountId: string,
  id: string,
): Promise<OperationState | undefined> {
  return db
    .selectFrom("list_operations")
    .select(["id", "status", "error", "ended_on"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Whether an operation of the account has not ended; of that list alone where one is given. */
export async function existsWaiting(db: Db, accountId: string, listId?: string): Promise<boolean> {
  const query = db
    .selectFrom("list_operations")
    .select("id")
    .where("account_id", "=", accountId)
    .where("status", "in", waiting);
  const found = await (listId === undefined ? query : query.where("list_id", "=", listId))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The next operations to be done, without what they are to do: the oldest first. */
export async function selectWaiting(
  db: Db,
  most: number,
): Promise<Pick<ListOperationRow, "id" | "account_id" | "requested_by">[]> {
  return db
    .selectFrom("list_operations")
    .select(["id", "account_id", "requested_by"])
    .where("status", "in", waiting)
    .orderBy("created_on")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** An operation that has not ended, with what it is to do. */
export async function selectWaitingOperation(db: Db, id: string): Promise<ListOperationRow | undefined> {
  return db
    .selectFrom("list_operations")
    .selectAll()
    .where("id", "=", id)
    .where("status", "in", waiting)
    .executeTakeFirst();
}

/** Forgets operations of an account that ended before then. */
export async function deleteEnded(tx: Db, accountId: string, before: Timestamp): Promise<void> {
  await tx
    .deleteFrom("list_operations")
    .where("account_id", "=", accountId)
    .where("ended_on", "<", before)
    .execute();
}
