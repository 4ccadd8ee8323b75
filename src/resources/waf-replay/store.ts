import { sql } from "kysely";

import { stoppingActions } from "../../core/waf-plan/version-comparison.ts";
import { createPause } from "../../operation/pause.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { MigrationReport } from "./schema.ts";

/** By what the new version did, then the previous one. */
const outcomes = {
  stopped: { stopped: "both", passed: "only_new" },
  passed: { stopped: "only_previous", passed: "none" },
} as const;

/**
 * A query over so many events holds the event loop for some 25 ms where the database answers synchronously.
 */
const eventsAtOnce = 10_000;

/**
 * Counts the requests of visitors by which version of the managed rules stopped them, over all events since a
 * time: one pass over the events of the zone, which `security_events_max` bounds, in slices. Traces and
 * replays do not count. The events of a request are stored together, and so within one second: no slice ends
 * in the midst of one.
 */
export async function countComparedRequests(
  db: Db,
  zoneId: string,
  since: Timestamp,
): Promise<MigrationReport["requests"]> {
  const pause = createPause();
  const requests = { both: 0, only_new: 0, only_previous: 0, none: 0 };
  let from: Timestamp | undefined = since;
  while (from !== undefined) {
    const end = await endOfSlice(db, zoneId, from);
    for (const { by_new, by_previous, count } of await selectOutcomes(db, zoneId, from, end)) {
      const outcome = outcomes[by_new === 1 ? "stopped" : "passed"][by_previous === 1 ? "stopped" : "passed"];
      requests[outcome] += Number(count);
    }
    from = end;
    await pause();
  }
  return requests;
}

/** The first second that a slice from a time on leaves to the next one; undefined where it is the last. */
async function endOfSlice(db: Db, zoneId: string, from: Timestamp): Promise<Timestamp | undefined> {
  const ofZone = db.selectFrom("security_events").select("datetime").where("zone_id", "=", zoneId);
  const last = await ofZone
    .where("datetime", ">=", from)
    .orderBy("datetime")
    .orderBy("id")
    .offset(eventsAtOnce - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return undefined;
  const next = await ofZone
    .where("datetime", ">", last.datetime)
    .orderBy("datetime")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return next?.datetime;
}

async function selectOutcomes(db: Db, zoneId: string, from: Timestamp, end: Timestamp | undefined) {
  const stops = sql.join(stoppingActions.map((action) => sql.lit(action)));
  const isStoppedBy = (source: string) =>
    sql<number>`max(case when source = ${sql.lit(source)} and action in (${stops}) then 1 else 0 end)`;
  return db
    .selectFrom(({ selectFrom }) =>
      selectFrom("security_events")
        .select([
          isStoppedBy("firewallManaged").as("by_new"),
          isStoppedBy("waf").as("by_previous"),
          // The same for all events of a request.
          sql<number>`max(sample_interval)`.as("sample_interval"),
        ])
        .where("zone_id", "=", zoneId)
        .where("datetime", ">=", from)
        .$if(end !== undefined, (query) => query.where("datetime", "<", end as Timestamp))
        .where("source", "in", ["firewallManaged", "waf"])
        .where("action", "!=", "skip")
        // A quote within a value is escaped, so that only keys meet these.
        .where(sql<string>`metadata`, "not like", '%{"key":"traced",%')
        .where(sql<string>`metadata`, "not like", '%{"key":"replayed",%')
        .groupBy("ray_name")
        .as("requests"),
    )
    .select(["by_new", "by_previous", sql<number | string>`sum(sample_interval)`.as("count")])
    .groupBy(["by_new", "by_previous"])
    .execute();
}
