import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { EdgeRow } from "../../storage/schema/edges.ts";

/** The longest-running first. */
export async function selectEdges(db: Db): Promise<EdgeRow[]> {
  return db.selectFrom("edges").selectAll().orderBy("started_on").orderBy("id").execute();
}

export async function putEdge(tx: Db, row: EdgeRow): Promise<void> {
  const { id: _, ...columns } = row;
  await tx
    .insertInto("edges")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

export async function deleteEdgesSeenBefore(tx: Db, time: Timestamp): Promise<void> {
  await tx.deleteFrom("edges").where("seen_on", "<", time).execute();
}
