import { deleteRow } from "../../storage/rows.ts";
import { fromJson, toTimestamp } from "../../storage/columns.ts";
import type { Database } from "../../storage/database.ts";
import type { Db } from "../../storage/tables.ts";
import type { EdgeRow } from "../../storage/schema/edges.ts";
import type { RunningEdge } from "./schema.ts";
import { deleteEdgesSeenBefore, putEdge, selectEdges } from "./store.ts";

const silentMs = 30_000;
const forgottenMs = 24 * 60 * 60 * 1_000;

/** The edges of the last day, the longest-running first. */
export async function findEdges(db: Db, now: Date): Promise<RunningEdge[]> {
  const silentBefore = toTimestamp(new Date(now.getTime() - silentMs));
  const rows = await selectEdges(db);
  return rows.map(({ id, host, software_version, addresses, zones, started_on, seen_on, behind_since }) => {
    const isSilent = seen_on < silentBefore;
    const { http, https, judge } = fromJson(addresses);
    return {
      id,
      host,
      status: isSilent ? "silent" : "running",
      version: software_version,
      http: [...http],
      https: [...https],
      judge: [...judge],
      zones,
      started_on,
      seen_on,
      configuration_as_of: behind_since ?? (isSilent ? seen_on : null),
    };
  });
}

/** Stores what an edge tells of itself, and forgets those that have not been heard of for a day. */
export async function reportEdge(db: Database, row: EdgeRow): Promise<void> {
  const forgottenBefore = toTimestamp(new Date(Date.parse(row.seen_on) - forgottenMs));
  await db.transaction(async (tx) => {
    await putEdge(tx, row);
    await deleteEdgesSeenBefore(tx, forgottenBefore);
  });
}

export async function forgetEdge(db: Database, id: string): Promise<void> {
  await db.transaction((tx) => deleteRow(tx, "edges", id));
}
