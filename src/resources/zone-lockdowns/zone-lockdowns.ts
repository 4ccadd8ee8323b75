import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest, notFound } from "../../core/error.ts";
import type { LockdownText } from "../../core/firewall-products/zone-lockdown.ts";
import { rangeBits, rangeRule } from "../../core/firewall-products/access-rule.ts";
import { parseIpAddress } from "../../core/net/ip-address.ts";
import { parseIpRange, type IpRange } from "../../core/net/ip-range.ts";
import { parseUrlPattern } from "../../core/page-rules/url-pattern.ts";
import { withoutTags } from "../../core/firewall-products/product.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import { findRow, insertRow, selectRows, selectRowsOfZones } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneLockdownRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { plans } from "../zones/zones.ts";
import type { LockdownConfiguration, ZoneLockdown, ZoneLockdownBody } from "./schema.ts";

/** The lockdowns of zones, by creation; the result finds those of one. */
export async function readZoneLockdowns(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => LockdownText[]> {
  const rowsOf = await selectRowsOfZones(db, "zone_lockdowns", zoneIds, ["created_on", "id"]);
  return (zoneId) =>
    rowsOf(zoneId).map(({ id, description, paused, priority, urls, configurations }) => ({
      id,
      description,
      isPaused: paused === 1,
      priority,
      urls: fromJson(urls),
      allowed: fromJson(configurations).map(({ value }) => value),
    }));
}

/** By creation; the quota of the plan bounds them. */
export function lockdownsOf(db: Db, zoneId: string): Promise<ZoneLockdownRow[]> {
  return selectRows(db, "zone_lockdowns", { zone_id: zoneId }, ["created_on", "id"]);
}

export async function findZoneLockdown(db: Db, zoneId: string, id: string): Promise<ZoneLockdownRow> {
  return findRow(db, "zone_lockdowns", { zone_id: zoneId, id }, () =>
    notFound(errorCodes.zoneLockdowns.unknown, "zonelockdown.api.not_found"),
  );
}

/** Errors: as `refuseInvalid`. */
export async function addZoneLockdown(
  { tx, zone, context, now }: Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">,
  body: ZoneLockdownBody,
): Promise<ZoneLockdownRow> {
  await refuseInvalid(tx, zone, body);
  const created_on = toTimestamp(now);
  const row: ZoneLockdownRow = {
    id: context.newId(),
    zone_id: zone.id,
    created_on,
    modified_on: created_on,
    description: "",
    paused: 0,
    priority: null,
    ...toColumns(body),
  };
  await insertRow(tx, "zone_lockdowns", row);
  return row;
}

/**
 * Refuses what a lockdown of the zone cannot say. `id` is of the one that is replaced.
 * Errors: 400 code 10011 for a URL outside of the zone and for a value that does not fit its target, 10009
 * for URLs that another lockdown of the zone has, 10016 for one more than the plan has.
 */
export async function refuseInvalid(
  db: Db,
  zone: ZoneRow,
  body: ZoneLockdownBody,
  id?: string,
): Promise<void> {
  const { invalidValue, exists, quotaReached } = errorCodes.zoneLockdowns;
  for (const [index, url] of body.urls.entries()) {
    const pattern = parseUrlPattern(url, zone.name);
    if (pattern instanceof Error) throw invalidBody(`/urls/${index}`, pattern.message, invalidValue);
  }
  for (const [index, configuration] of body.configurations.entries()) {
    if (rangeOf(configuration) === undefined) {
      const rule = configuration.target === "ip" ? "must be an IP address" : rangeRule;
      throw invalidBody(`/configurations/${index}/value`, rule, invalidValue);
    }
  }
  const all = await lockdownsOf(db, zone.id);
  const urls = identityOf(body.urls);
  if (all.some((other) => other.id !== id && identityOf(fromJson(other.urls)) === urls)) {
    throw invalidRequest(exists, "zonelockdown.api.duplicate_of_existing", "/urls");
  }
  if (id === undefined && all.length >= plans[zone.plan].zoneLockdownQuota) {
    throw invalidRequest(quotaReached, "zonelockdown.api.not_entitled.max_rules");
  }
}

function rangeOf({ target, value }: LockdownConfiguration): IpRange | undefined {
  if (target === "ip") return parseIpAddress(value) && parseIpRange(value);
  const [base = "", length] = value.split("/");
  const version = parseIpAddress(base)?.version;
  if (version === undefined || !rangeBits[version].some((bits) => String(bits) === length)) return undefined;
  return parseIpRange(value);
}

/** Two lockdowns of one zone cannot have the same. */
function identityOf(urls: readonly string[]): string {
  return [...new Set(urls.map((url) => url.toLowerCase()))].toSorted().join("\n");
}

export function toZoneLockdown(row: ZoneLockdownRow): ZoneLockdown {
  return {
    id: row.id,
    created_on: row.created_on,
    modified_on: row.modified_on,
    paused: row.paused === 1,
    ...(row.description !== "" && { description: row.description }),
    urls: fromJson(row.urls),
    configurations: fromJson(row.configurations),
    ...(row.priority !== null && { priority: row.priority }),
  };
}

type Columns = Pick<ZoneLockdownRow, "urls" | "configurations"> & Partial<ZoneLockdownRow>;

/** Makes no column of a field that the body leaves out. */
export function toColumns({
  urls,
  configurations,
  description,
  paused,
  priority,
}: ZoneLockdownBody): Columns {
  return {
    urls: toJson(urls),
    configurations: toJson(configurations.map(({ target, value }) => ({ target, value }))),
    ...(description !== undefined && { description: withoutTags(description ?? "") }),
    ...(paused !== undefined && { paused: toFlag(paused) }),
    ...(priority !== undefined && { priority }),
  };
}
