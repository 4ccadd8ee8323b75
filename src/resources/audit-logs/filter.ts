import { toAsciiName } from "../../core/dns/content/name.ts";
import { foldEmail } from "../../core/email.ts";
import { invalidParameter } from "../../core/error.ts";
import { parseClientAddress } from "../../core/net/client-network.ts";
import { isInRange, parseIpRange } from "../../core/net/ip-range.ts";
import { parseTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { AuditLogRow } from "../../storage/schema/audit-logs.ts";
import type { ListAuditLogsQuery } from "./schema.ts";

/** The part of a query that an index answers. */
export interface AuditLogRange {
  readonly id: string | undefined;
  /** Inclusive. */
  readonly since: Timestamp | undefined;
  /** Exclusive. */
  readonly before: Timestamp | undefined;
}

export type FilteredColumns = Pick<AuditLogRow, "action_type" | "actor_email" | "actor_ip" | "zone_name">;

type Condition = (entry: FilteredColumns) => boolean;

/** Errors: 400 code 1003 for anything but a time. */
export function parseAuditLogRange(query: ListAuditLogsQuery): AuditLogRange {
  return {
    id: query.id?.toLowerCase() || undefined,
    since: query.since ? parseTime("since", query.since) : undefined,
    before: query.before ? parseTime("before", query.before) : undefined,
  };
}

/**
 * The condition that entries must meet; undefined if there is none. Errors: 400 code 1003 for a malformed
 * address.
 */
export function parseAuditLogFilter(query: ListAuditLogsQuery): Condition | undefined {
  const conditions: Condition[] = [];
  const action = query["action.type"];
  if (action) conditions.push((entry) => entry.action_type === action);
  const email = foldEmail(query["actor.email"] ?? "");
  if (email) conditions.push((entry) => foldEmail(entry.actor_email ?? "") === email);
  const zoneName = query["zone.name"] && (toAsciiName(query["zone.name"]) ?? query["zone.name"]);
  if (zoneName) conditions.push((entry) => entry.zone_name === zoneName);
  if (query["actor.ip"]) conditions.push(isFrom(query["actor.ip"]));
  return conditions.length === 0 ? undefined : (entry) => conditions.every((isMetBy) => isMetBy(entry));
}

function isFrom(text: string): Condition {
  const range = parseIpRange(text);
  if (range === undefined) {
    throw invalidParameter("actor.ip", "must be an address or a range in CIDR notation");
  }
  return ({ actor_ip }) => {
    const address = actor_ip === null ? undefined : parseClientAddress(actor_ip);
    return address !== undefined && isInRange(address, range);
  };
}

function parseTime(name: string, text: string): Timestamp {
  const time = parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (time === undefined) throw invalidParameter(name, "must be a time as in RFC 3339, or a date");
  return time;
}
