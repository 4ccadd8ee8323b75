import { sql } from "kysely";

import { stoppingActions } from "../../core/waf-plan/version-comparison.ts";
import type { Timestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MigrationReport } from "./schema.ts";

/**
 * Counts the requests of visitors by which version of the managed rules stopped them, over all events since a time. It costs
 * one pass over the events of the zone, which `security_events_max` bounds. Traces and replays do not count.
 */
export async function countComparedRequests(
  db: Db,
  zoneId: string,
  since: Timestamp,
): Promise<MigrationReport["requests"]> {
  const stops = sql.join(stoppingActions.map((action) => sql.lit(action)));
  const isStoppedBy = (source: string) =>
    sql<number>`max(case when source = ${sql.lit(source)} and action in (${stops}) then 1 else 0 end)`;
  const rows = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom("security_events")
        .select([isStoppedBy("firewallManaged").as("by_new"), isStoppedBy("waf").as("by_previous")])
        .where("zone_id", "=", zoneId)
        .where("datetime", ">=", since)
        .where("source", "in", ["firewallManaged", "waf"])
        // A quote within a value is escaped, so that only keys meet these.
        .where(sql<string>`metadata`, "not like", '%{"key":"traced",%')
        .where(sql<string>`metadata`, "not like", '%{"key":"replayed",%')
        .groupBy("ray_name")
        .as("requests"),
    )
    .select(["by_new", "by_previous", sql<number | string>`count(*)`.as("requests")])
    .groupBy(["by_new", "by_previous"])
    .execute();
  const count = (byNew: number, byPrevious: number): number =>
    Number(rows.find((row) => row.by_new === byNew && row.by_previous === byPrevious)?.requests ?? 0);
  return { both: count(1, 1), only_new: count(1, 0), only_previous: count(0, 1), none: count(0, 0) };
}
