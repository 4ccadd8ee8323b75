import type { Timestamp } from "./columns.ts";
import type { Database } from "./database.ts";
import type { Db } from "./tables.ts";

/** Whether the store is being filled by a copy, or was when that was cut short. */
export async function isUnfinishedCopy(db: Db): Promise<boolean> {
  return (await db.selectFrom("unfinished_copies").select("started_on").execute()).length > 0;
}

/** From here on no server starts on the store. */
export async function insertUnfinishedCopy(tx: Db, started_on: Timestamp): Promise<void> {
  await tx.insertInto("unfinished_copies").values({ started_on }).execute();
}

/** All rows are there. */
export async function deleteUnfinishedCopy(tx: Db): Promise<void> {
  await tx.deleteFrom("unfinished_copies").execute();
}

/** Throws where part of the rows may be missing: nobody should be served from them. */
export async function refuseUnfinishedCopy({ read }: Pick<Database, "read">): Promise<void> {
  if (await isUnfinishedCopy(read)) {
    throw new Error("it is an unfinished copy: run `zoneward database copy` again to continue it");
  }
}
