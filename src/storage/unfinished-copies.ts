import type { Timestamp } from "./schema/table.ts";
import type { Database } from "./database.ts";
import type { Db } from "./tables.ts";

/** Whether the store is being filled by a copy, or holds an interrupted one. */
export async function isUnfinishedCopy(db: Db): Promise<boolean> {
  return (await db.selectFrom("unfinished_copies").select("started_on").execute()).length > 0;
}

/** Marks the store, so that no server starts on it. */
export async function insertUnfinishedCopy(tx: Db, started_on: Timestamp): Promise<void> {
  await tx.insertInto("unfinished_copies").values({ started_on }).execute();
}

/** Removes the mark when all rows are there. */
export async function deleteUnfinishedCopy(tx: Db): Promise<void> {
  await tx.deleteFrom("unfinished_copies").execute();
}

/** Throws if the store is an unfinished copy, because rows may be missing. */
export async function refuseUnfinishedCopy({ read }: Pick<Database, "read">): Promise<void> {
  if (await isUnfinishedCopy(read)) {
    throw new Error("it is an unfinished copy: run `zoneward database copy` again to continue it");
  }
}
