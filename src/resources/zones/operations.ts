import { errorCodes } from "../../core/error-codes.ts";
import { visibleZones } from "../../core/policy/visibility.ts";
import { collectionList, type CollectionRead } from "../../operation/collection.ts";
import { newZoneWrite, type NewZoneWrite } from "../../operation/new-zone.ts";
import { zoneRead, zoneWrite, type ZoneRead, type ZoneWrite } from "../../operation/zone.ts";
import { IdOnly } from "../../operation/schema.ts";
import { findAccountForReference } from "../accounts/accounts.ts";
import { askForActivation, settleActivation } from "./activation.ts";
import { findZoneWithAccount } from "./find-zones.ts";
import { waitsFor } from "./obstacles.ts";
import { judgeBelow } from "./name-changes.ts";
import { CreateZoneBody, EditZoneBody, ListZonesQuery, Zone, ZoneActivation } from "./schema.ts";
import { selectZones } from "./store.ts";
import { zoneView } from "./zone.ts";
import { addZone, applyChange, parseZoneFilter, type ZoneContext } from "./zones.ts";
import { deleteRow } from "../../storage/rows.ts";

/** Errors: 400 code 1003 for an unknown type. */
export const listZones = collectionList({
  name: "listZones",
  summary: "List, search and sort zones",
  path: "/zones",
  permission: "listed",
  query: ListZonesQuery,
  result: Zone,
  list: { orderings: ["name", "status", "account.id", "account.name", "plan.id"], perPageMax: 1_000 },
  run: async ({ db, caller, context, now }: CollectionRead<ZoneContext>, { query, page }) => {
    const visible = visibleZones(caller.grants);
    const { items, totalCount } = await selectZones(db, visible, parseZoneFilter(query), page);
    return { items: items.map(zoneView(caller, context.settings, now)), totalCount };
  },
});

/** In the given account, or the caller's first. Errors: as `addZone`, and 404 code 1001 for an unknown account. */
export const createZone = newZoneWrite({
  name: "createZone",
  summary: "Create a zone",
  path: "/zones",
  permission: "Zone Write",
  accountOf: ({ accountIds }, { account, organization }) => account?.id || organization?.id || accountIds[0],
  body: CreateZoneBody,
  result: Zone,
  run: async ({ tx, accountId, caller, context, now, audit }: NewZoneWrite<ZoneContext>, { body }) => {
    const account = await findAccountForReference(tx, accountId);
    const row = await addZone(context, tx, {
      name: body.name,
      type: body.type ?? "full",
      accountId,
      paused: body.paused ?? false,
      vanityNameServers: body.vanity_name_servers ?? [],
    });
    const after = zoneView(caller, context.settings, now)({ ...row, account_name: account.name });
    audit({ action: "zone_add", owner: { zone: row }, id: row.id, after });
    return after;
  },
});

export const getZone = zoneRead({
  name: "getZone",
  summary: "Get a zone",
  path: "/zones/{zone_id}",
  permission: "visible",
  result: Zone,
  run: async ({ db, zone, caller, context, now }: ZoneRead<ZoneContext>) =>
    zoneView(caller, context.settings, now)(await findZoneWithAccount(db, zone.id)),
});

/** Errors: 400 code 1085 for more than one property, 1088 for an unknown plan. */
export const editZone = zoneWrite({
  name: "editZone",
  summary: "Change one property of a zone",
  method: "PATCH",
  path: "/zones/{zone_id}",
  permission: "Zone Write",
  body: EditZoneBody,
  result: Zone,
  run: async ({ tx, zone, caller, context, now, audit }: ZoneWrite<ZoneContext>, { body }) => {
    const show = zoneView(caller, context.settings, now);
    const row = await findZoneWithAccount(tx, zone.id);
    const changed = await applyChange(context, tx, row, body);
    if (changed === row) return show(row);
    const [before, after] = [show(row), show(changed)];
    audit({ action: "zone_edit", id: zone.id, before, after });
    return after;
  },
});

export const deleteZone = zoneWrite({
  name: "deleteZone",
  summary: "Delete a zone and everything in it",
  method: "DELETE",
  path: "/zones/{zone_id}",
  permission: "Zone Write",
  result: IdOnly,
  run: async ({ tx, zone: { id }, caller, context, now, audit }: ZoneWrite<ZoneContext>) => {
    const row = await findZoneWithAccount(tx, id);
    if (row.status === "active") await judgeBelow(tx, row);
    await deleteRow(tx, "zones", id);
    audit({
      action: "zone_delete",
      id,
      before: zoneView(caller, context.settings, now)(row),
      metadata: { dns_records: row.dns_record_count },
    });
    return { id };
  },
});

/** What the zone waits for, as an activation check would find it. */
export const getActivation = zoneRead({
  name: "getActivation",
  summary: "Say what a zone waits for before it is served",
  path: "/zones/{zone_id}/activation_check",
  permission: "Zone Read",
  result: ZoneActivation,
  run: async ({ db, zone, context }: ZoneRead<ZoneContext>) => ({
    id: zone.id,
    status: zone.status,
    waits_for: (await waitsFor(context, db, zone)) ?? null,
  }),
});

/**
 * `activation=immediate` activates the zone, where nothing of another account stands in its way; `check-ns` looks up its delegation first. A message says what the zone's
 * status is then, as flarectl expects one.
 */
export const checkActivation = zoneWrite({
  name: "checkActivation",
  summary: "Check now whether a zone can become active",
  method: "PUT",
  path: "/zones/{zone_id}/activation_check",
  permission: "Zone Write",
  result: IdOnly,
  prepare: ({ context, zone, now }: ZoneRead<ZoneContext>) => askForActivation(context, zone, now),
  run: async (work: ZoneWrite<ZoneContext>, { prepared }) => {
    const { status, obstacle } = await settleActivation(work, prepared);
    const message = obstacle === undefined ? `The zone is ${status}` : `The zone is ${status}: ${obstacle}`;
    work.addMessage({ code: errorCodes.zones.activationChecked, message });
    return { id: work.zone.id };
  },
});
