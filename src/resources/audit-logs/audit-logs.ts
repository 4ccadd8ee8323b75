import { setImmediate as nextTurn } from "node:timers/promises";

import type { Page, PageRequest } from "../../core/page.ts";
import { toTimestamp, fromJson } from "../../storage/columns.ts";
import type { Json } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import { parseAuditLogFilter, parseAuditLogRange } from "./filter.ts";
import type { AuditLog, ListAuditLogsQuery } from "./schema.ts";
import {
  countAuditLogs,
  deleteAuditLogs,
  selectAuditLogIds,
  selectAuditLogs,
  selectOldAuditLogs,
  walkAuditLogs,
  type AuditLogOwner,
} from "./store.ts";
import type { AuditLogRow } from "../../storage/schema/audit-logs.ts";

/**
 * The entries of an account and its zones, or of a user, the newest first. Indexes cover the time range;
 * other filters read the entries of the range in portions, as an index for each would slow down every change.
 * Errors: 400 code 1003 for an invalid time or address.
 */
export async function listAuditLogs(
  db: Db,
  owner: AuditLogOwner,
  query: ListAuditLogsQuery,
  { page, perPage, direction }: PageRequest,
): Promise<Page<AuditLog>> {
  const range = parseAuditLogRange(query);
  const isMetBy = parseAuditLogFilter(query);
  const offset = (page - 1) * perPage;
  let ids: string[] = [];
  let totalCount = 0;
  if (isMetBy === undefined) {
    ids = await selectAuditLogIds(db, owner, range, { direction, limit: perPage, offset });
    totalCount = await countAuditLogs(db, owner, range);
  } else {
    for await (const entries of walkAuditLogs(db, owner, range, direction)) {
      for (const entry of entries) {
        if (!isMetBy(entry)) continue;
        if (totalCount >= offset && ids.length < perPage) ids.push(entry.id);
        totalCount += 1;
      }
      // Lets other requests run between two portions.
      await nextTurn();
    }
  }
  return { items: (await selectAuditLogs(db, ids, direction)).map(toAuditLog), totalCount };
}

const prunedAtOnce = 1_000;

/** Deletes up to 1,000 entries older than `days`, the oldest first; a timer repeats it. 0 keeps all. */
export async function pruneAuditLogs({ db, now }: Pick<Context, "db" | "now">, days: number): Promise<void> {
  if (days === 0) return;
  const time = toTimestamp(new Date(now().getTime() - days * 24 * 60 * 60 * 1000));
  const ids = await selectOldAuditLogs(db.read, time, prunedAtOnce);
  if (ids.length > 0) await db.transaction((tx) => deleteAuditLogs(tx, ids));
}

function toAuditLog(row: AuditLogRow): AuditLog {
  return {
    id: row.id,
    action: { result: true, type: row.action_type },
    actor: { id: row.actor_id, email: row.actor_email, ip: row.actor_ip, type: row.actor_type },
    interface: row.interface,
    metadata: {
      ...(row.token_id !== null && { token_id: row.token_id }),
      ...(row.zone_id !== null && { zone_id: row.zone_id, zone_name: row.zone_name }),
      ...fromJson(row.metadata),
    },
    newValue: row.new_value ?? "",
    newValueJson: valueOf(row.new_value),
    oldValue: row.old_value ?? "",
    oldValueJson: valueOf(row.old_value),
    owner: { id: row.account_id ?? row.user_id ?? "" },
    resource: { id: row.resource_id, type: row.resource_type },
    when: row.occurred_on,
  };
}

function valueOf(text: Json<unknown> | null): unknown {
  return text === null ? null : fromJson(text);
}
