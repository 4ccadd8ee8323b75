import { VersionComparison, type VersionMatch } from "../../core/waf-plan/version-comparison.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { newestSecurityEvents } from "../security-events/security-events.ts";
import { stateOf } from "../waf-migration/waf-migration.ts";
import type { MigrationReport } from "./schema.ts";
import { countComparedRequests } from "./store.ts";

/** Events that are read at most, for the rules, scores and exceptions of a report. */
const eventsMax = 10_000;

/**
 * Compares both versions by the events of a zone, whose time is `since` or later, and within the state in
 * which the zone is: before, other versions were in force. All of them count; the newest 10,000 tell the
 * rules, scores and exceptions.
 */
export async function migrationReport(db: Db, zone: ZoneRow, since: Date): Promise<MigrationReport> {
  const comparison = new VersionComparison();
  const pause = createPause();
  const asked = toTimestamp(since);
  const { waf_changed_on: changed } = zone;
  const from = changed !== null && changed > asked ? changed : asked;
  let events_read = 0;
  for await (const page of newestSecurityEvents(db, zone.id, { since: from, eventsMax })) {
    for (const event of page) {
      const match = matchOf(event);
      if (match !== undefined) comparison.add(match);
    }
    events_read += page.length;
    await pause();
  }
  const migration_state = stateOf(zone);
  const { exceptions, ...compared } = comparison.report();
  return {
    migration_state,
    since: from,
    events_read,
    is_complete: events_read < eventsMax,
    requests: await countComparedRequests(db, zone.id, from),
    ...compared,
    // Exceptions make the two versions agree.
    exceptions: migration_state === "validation" ? exceptions : [],
  };
}

/** Undefined for an event that is not about both versions, or not about a visitor. */
function matchOf(event: SecurityEventRow): VersionMatch | undefined {
  if (event.source !== "firewallManaged" && event.source !== "waf") return undefined;
  if (event.action === "skip") return undefined;
  const metadata = new Map(fromJson(event.metadata).map(({ key, value }) => [key, value]));
  if (metadata.has("traced") || metadata.has("replayed")) return undefined;
  const scores = (metadata.get("owasp_scores") ?? "").split(",").filter((text) => text !== "");
  return {
    isNew: event.source === "firewallManaged",
    ray: event.ray_name,
    action: event.action,
    rulesetId: event.ruleset_id,
    ruleId: event.rule_id,
    description: event.rule_message,
    host: event.host,
    path: event.path,
    scoredBy: [...metadata.keys()].flatMap((key) => (key.startsWith("match_") ? [key.slice(6)] : [])),
    scores: scores.map(Number),
    requests: event.sample_interval,
  };
}
