import { pageOf } from "../../core/page.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneList, zoneRead, zoneWrite } from "../../operation/zone.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { ListZoneLockdownsQuery, ZoneLockdown, ZoneLockdownBody } from "./schema.ts";
import { searchOf } from "./search.ts";
import {
  addZoneLockdown,
  findZoneLockdown,
  precedenceOf,
  refuseInvalid,
  lockdownsOf,
  toColumns,
  toZoneLockdown,
} from "./zone-lockdowns.ts";

const path = "/zones/{zone_id}/firewall/lockdowns";
const item = "/zones/{zone_id}/firewall/lockdowns/{lockdown_id}";
const read = "Firewall Services Read";
const write = "Firewall Services Write";

/** In the order of their precedence. Errors: 400 code 1003. */
export const listZoneLockdowns = zoneList({
  name: "listZoneLockdowns",
  summary: "List and search the lockdowns of a zone",
  path,
  permission: read,
  query: ListZoneLockdownsQuery,
  result: ZoneLockdown,
  list: { orderings: ["priority"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const lockdowns = (await lockdownsOf(db, zone.id)).map(toZoneLockdown);
    return pageOf(lockdowns.filter(searchOf(query)), page, { priority: precedenceOf });
  },
});

/** Errors: 400 code 10009 for the URLs of another one, 10011 for an invalid value, 10016 above the quota of the plan. */
export const createZoneLockdown = zoneWrite({
  name: "createZoneLockdown",
  summary: "Create a lockdown of a zone",
  method: "POST",
  path,
  permission: write,
  body: ZoneLockdownBody,
  result: ZoneLockdown,
  run: async ({ tx, zone, context, now, audit }, { body }) => {
    const row = await addZoneLockdown({ tx, zone, context, now }, body);
    const after = toZoneLockdown(row);
    audit({ action: "zone_lockdown_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const getZoneLockdown = zoneRead({
  name: "getZoneLockdown",
  summary: "Get a lockdown of a zone",
  path: item,
  permission: read,
  result: ZoneLockdown,
  run: async ({ db, zone }, { params }) =>
    toZoneLockdown(await findZoneLockdown(db, zone.id, params.lockdown_id)),
});

/** Errors: as `createZoneLockdown` but for the quota, and 404 code 10001. */
export const replaceZoneLockdown = zoneWrite({
  name: "replaceZoneLockdown",
  summary: "Replace a lockdown of a zone; description, paused and priority stay where they are left out",
  method: "PUT",
  path: item,
  permission: write,
  body: ZoneLockdownBody,
  result: ZoneLockdown,
  run: async ({ tx, zone, now, audit }, { params: { lockdown_id: id }, body }) => {
    const row = await findZoneLockdown(tx, zone.id, id);
    await refuseInvalid(tx, zone, body, id);
    const change = { ...toColumns(body), modified_on: toTimestamp(now) };
    await updateRow(tx, "zone_lockdowns", id, change);
    const [before, after] = [toZoneLockdown(row), toZoneLockdown({ ...row, ...change })];
    audit({ action: "zone_lockdown_edit", id, before, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const deleteZoneLockdown = zoneWrite({
  name: "deleteZoneLockdown",
  summary: "Delete a lockdown of a zone",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { lockdown_id: id } }) => {
    const before = toZoneLockdown(await findZoneLockdown(tx, zone.id, id));
    await deleteRow(tx, "zone_lockdowns", id);
    audit({ action: "zone_lockdown_delete", id, before });
    return { id };
  },
});
