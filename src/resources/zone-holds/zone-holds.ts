import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { parseTimestamp, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneHoldRow, ZoneRow } from "../../storage/schema/zones.ts";
import { readAuthority, type ZoneContext } from "../zones/zones.ts";
import type { ZoneHold } from "./schema.ts";
import { isHeldBy } from "./store.ts";

/**
 * Whether another account holds a name: by its active zone of that name, or one above it with its subdomains.
 * A hold does not reach below a zone that is not that account's.
 */
export async function isHeldName(
  { now, settings }: Pick<ZoneContext, "now" | "settings">,
  db: Db,
  name: string,
  accountId: string,
): Promise<boolean> {
  const inCharge = (await readAuthority(db, settings, [name])).inChargeOf(name);
  if (inCharge === undefined || inCharge.accountId === accountId) return false;
  const labels = name.split(".");
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join("."));
  return isHeldBy(db, { accountId: inCharge.accountId, name, parents, now: toTimestamp(now()) });
}

export function neverHeld(zoneId: string): ZoneHoldRow {
  return { zone_id: zoneId, hold_after: null, include_subdomains: 0 };
}

export function isInForce({ hold_after }: ZoneHoldRow, now: Timestamp): boolean {
  return hold_after !== null && hold_after <= now;
}

export function toZoneHold(row: ZoneHoldRow, now: Timestamp): ZoneHold {
  return {
    hold: isInForce(row, now),
    // Terraform compares times as text and sends whole seconds.
    hold_after: row.hold_after?.replace(/\.0+Z$/, "Z") ?? null,
    include_subdomains: row.include_subdomains === 1,
  };
}

/** Errors: 400 code 1070. */
export function requireEnterprise(zone: ZoneRow): void {
  if (zone.plan !== "enterprise") {
    throw invalidRequest(
      errorCodes.zoneHolds.enterpriseOnly,
      "This operation requires an Enterprise account.",
    );
  }
}

/** Errors: 400 code 1003. */
export function readTime<Absent extends null | undefined>(
  place: string,
  text: string | Absent,
): Timestamp | Absent {
  if (typeof text !== "string") return text;
  const time = parseTimestamp(text);
  if (time === undefined) {
    throw invalidRequest(
      errorCodes.request.invalid,
      `Invalid ${place} \`hold_after\`: must be a time as in RFC 3339`,
      "/hold_after",
    );
  }
  return time;
}
