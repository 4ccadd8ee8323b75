import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { parseTimestamp, toFlag, toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { Db, ZoneHoldRow, ZoneRow } from "../../storage/tables.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { recordChanges } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import type { EditZoneHoldBody, ZoneHold } from "./schema.ts";
import { isHeldByOtherAccount, selectZoneHold, upsertZoneHold } from "./store.ts";

/** Errors: 404 code 1001. */
export async function getZoneHold({ db, now }: Context, zoneId: string): Promise<ZoneHold> {
  await findZone(db.read, zoneId);
  return toZoneHold((await selectZoneHold(db.read, zoneId)) ?? neverHeld(zoneId), toTimestamp(now()));
}

/** Holds the zone from now on. Errors: 400 code 1070 for a zone that is not on Enterprise, 404 code 1001. */
export async function createZoneHold(
  context: Context,
  caller: Caller,
  zoneId: string,
  query: { readonly include_subdomains?: boolean },
): Promise<ZoneHold> {
  return changeHold(context, caller, "hold_create", zoneId, (hold, zone, now) => {
    requireEnterprise(zone);
    return {
      hold_after: isInForce(hold, now) ? hold.hold_after : now,
      include_subdomains: toFlag(query.include_subdomains ?? false),
    };
  });
}

/**
 * Changes when the zone is held and how much of it. A time that has passed does not move the beginning of a
 * hold that is in force.
 * Errors: 400 code 1003 for a time of the wrong form, 400 code 1070 for a zone that is not on Enterprise, 404
 * code 1001.
 */
export async function editZoneHold(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: EditZoneHoldBody,
): Promise<ZoneHold> {
  return changeHold(context, caller, "hold_edit", zoneId, (hold, zone, now) => {
    requireEnterprise(zone);
    const asked = body.hold_after === "" ? now : readTime("body", body.hold_after);
    const staysInForce = typeof asked === "string" && asked <= now && isInForce(hold, now);
    return {
      hold_after: asked === undefined || staysInForce ? hold.hold_after : asked,
      include_subdomains:
        body.include_subdomains === undefined ? hold.include_subdomains : toFlag(body.include_subdomains),
    };
  });
}

/**
 * Releases the zone: until `hold_after`, else for good. On every plan, as a zone may have left Enterprise.
 * Errors: 400 code 1003 for a time of the wrong form, 404 code 1001.
 */
export async function deleteZoneHold(
  context: Context,
  caller: Caller,
  zoneId: string,
  query: { readonly hold_after?: string },
): Promise<ZoneHold> {
  return changeHold(context, caller, "hold_delete", zoneId, (hold) => ({
    hold_after: readTime("query parameter", query.hold_after || undefined) ?? null,
    include_subdomains: hold.include_subdomains,
  }));
}

/**
 * Keeps a new zone from taking a name that a zone of another account holds. Part of the transaction that makes
 * the zone. Errors: 400 code 1120.
 */
export async function refuseHeldName(
  { now }: Pick<Context, "now">,
  tx: Db,
  name: string,
  accountId: string,
): Promise<void> {
  const labels = name.split(".");
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join("."));
  if (await isHeldByOtherAccount(tx, name, parents, accountId, toTimestamp(now()))) {
    throw new AppError(
      "invalid",
      1120,
      "The zone name provided is subject to a hold which disallows the creation of this zone. Please contact the domain owner to have this hold removed.",
      { pointer: "/name" },
    );
  }
}

type HoldColumns = Pick<ZoneHoldRow, "hold_after" | "include_subdomains">;

async function changeHold(
  context: Context,
  caller: Caller,
  action: AuditAction,
  zoneId: string,
  change: (hold: ZoneHoldRow, zone: ZoneRow, now: Timestamp) => HoldColumns,
): Promise<ZoneHold> {
  const at = toTimestamp(context.now());
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const hold = (await selectZoneHold(tx, zoneId)) ?? neverHeld(zoneId);
    const changed = { ...hold, ...change(hold, zone, at) };
    await upsertZoneHold(tx, changed);
    const [before, after] = [toZoneHold(hold, at), toZoneHold(changed, at)];
    const resource = { type: "zone_hold", id: zoneId };
    await recordChanges(context, tx, caller, [{ action, owner: { zone }, resource, before, after }]);
    return after;
  });
}

function neverHeld(zoneId: string): ZoneHoldRow {
  return { zone_id: zoneId, hold_after: null, include_subdomains: 0 };
}

function isInForce({ hold_after }: ZoneHoldRow, now: Timestamp): boolean {
  return hold_after !== null && hold_after <= now;
}

function toZoneHold(row: ZoneHoldRow, now: Timestamp): ZoneHold {
  return {
    hold: isInForce(row, now),
    // A client that has sent whole seconds reads them back so: Terraform compares texts.
    hold_after: row.hold_after?.replace(/\.0+Z$/, "Z") ?? null,
    include_subdomains: row.include_subdomains === 1,
  };
}

function requireEnterprise(zone: ZoneRow): void {
  if (zone.plan !== "enterprise") {
    throw new AppError("invalid", 1070, "This operation requires an Enterprise account.");
  }
}

function readTime<Absent extends null | undefined>(place: string, text: string | Absent): Timestamp | Absent {
  if (typeof text !== "string") return text;
  const time = parseTimestamp(text);
  if (time === undefined) {
    throw new AppError("invalid", 1003, `Invalid ${place} \`hold_after\`: must be a time as in RFC 3339`, {
      pointer: "/hold_after",
    });
  }
  return time;
}
