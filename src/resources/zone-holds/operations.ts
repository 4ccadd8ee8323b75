import type { AuditAction } from "../../operation/audit-actions.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import { putRow, selectRow } from "../../storage/rows.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { ZoneHoldRow } from "../../storage/schema/zones.ts";
import { CreateZoneHoldQuery, DeleteZoneHoldQuery, EditZoneHoldBody, ZoneHold } from "./schema.ts";
import { isInForce, neverHeld, readTime, requireEnterprise, toZoneHold } from "./zone-holds.ts";

const path = "/zones/{zone_id}/hold";

export const getZoneHold = zoneRead({
  name: "getZoneHold",
  summary: "Say whether a zone is held",
  path,
  permission: "Zone Read",
  result: ZoneHold,
  run: async ({ db, zone, now }) =>
    toZoneHold(
      (await selectRow(db, "zone_holds", { zone_id: zone.id })) ?? neverHeld(zone.id),
      toTimestamp(now),
    ),
});

/** The hold starts now unless it is in force. Errors: 400 code 1070 below Enterprise. */
export const createZoneHold = zoneWrite({
  name: "createZoneHold",
  summary: "Hold a zone: no other account can make one of its name",
  method: "POST",
  path,
  permission: "Zone Write",
  query: CreateZoneHoldQuery,
  result: ZoneHold,
  run: async (work, { query }) => {
    requireEnterprise(work.zone);
    return changeHold(work, "hold_create", (hold, now) => ({
      hold_after: isInForce(hold, now) ? hold.hold_after : now,
      include_subdomains: toFlag(query.include_subdomains ?? false),
    }));
  },
});

/**
 * A past time does not move the start of a hold in force.
 * Errors: 400 code 1003 for an invalid time, 400 code 1070 below Enterprise.
 */
export const editZoneHold = zoneWrite({
  name: "editZoneHold",
  summary: "Change when a zone is held and how much of it",
  method: "PATCH",
  path,
  permission: "Zone Write",
  body: EditZoneHoldBody,
  result: ZoneHold,
  run: async (work, { body }) => {
    requireEnterprise(work.zone);
    return changeHold(work, "hold_edit", (hold, now) => {
      const asked = body.hold_after === "" ? now : readTime("body", body.hold_after);
      const staysInForce = typeof asked === "string" && asked <= now && isInForce(hold, now);
      return {
        hold_after: asked === undefined || staysInForce ? hold.hold_after : asked,
        include_subdomains:
          body.include_subdomains === undefined ? hold.include_subdomains : toFlag(body.include_subdomains),
      };
    });
  },
});

/**
 * Until `hold_after`, or for good. Allowed on every plan, as a zone may have left Enterprise. Errors: 400
 * code 1003.
 */
export const deleteZoneHold = zoneWrite({
  name: "deleteZoneHold",
  summary: "Release a zone, for a time or for good",
  method: "DELETE",
  path,
  permission: "Zone Write",
  query: DeleteZoneHoldQuery,
  result: ZoneHold,
  run: (work, { query }) =>
    changeHold(work, "hold_delete", (hold) => ({
      hold_after: readTime("query parameter", query.hold_after || undefined) ?? null,
      include_subdomains: hold.include_subdomains,
    })),
});

async function changeHold(
  { tx, zone, now, audit }: ZoneWrite,
  action: AuditAction,
  change: (hold: ZoneHoldRow, now: Timestamp) => Pick<ZoneHoldRow, "hold_after" | "include_subdomains">,
): Promise<ZoneHold> {
  const at = toTimestamp(now);
  const hold = (await selectRow(tx, "zone_holds", { zone_id: zone.id })) ?? neverHeld(zone.id);
  const changed = { ...hold, ...change(hold, at) };
  await putRow(tx, "zone_holds", changed);
  const [before, after] = [toZoneHold(hold, at), toZoneHold(changed, at)];
  audit({ action, id: zone.id, before, after });
  return after;
}
