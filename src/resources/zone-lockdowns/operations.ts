import { precedenceOf } from "../../core/firewall-products/zone-lockdown.ts";
import { pageOf } from "../../core/page.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneList, zoneRead, zoneWrite } from "../../operation/scope.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { toTimestamp, parseTimestamp } from "../../storage/columns.ts";
import {
  ListZoneLockdownsQuery,
  ZoneLockdown,
  ZoneLockdownBody,
  type LockdownConfiguration,
} from "./schema.ts";
import {
  addZoneLockdown,
  findZoneLockdown,
  refuseInvalid,
  lockdownsOf,
  toColumns,
  toZoneLockdown,
} from "./zone-lockdowns.ts";
import { invalidParameter } from "../../core/error.ts";
import { parseIpAddress, printIpAddress } from "../../core/net/ip-address.ts";
import { parseCidr, type IpRange } from "../../core/net/ip-range.ts";

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

/**
 * Errors: 400 code 10009 for the URLs of another one, 10011 for an invalid value, 10016 above the quota of
 * the plan.
 */
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

/** Whether a lockdown meets every filter of a query. Errors: 400 code 1003 for a time that is none. */
function searchOf(query: ListZoneLockdownsQuery): (lockdown: ZoneLockdown) => boolean {
  const tests: ((lockdown: ZoneLockdown) => boolean)[] = [];
  for (const name of ["created_on", "modified_on"] as const) {
    const text = query[name];
    if (text === undefined) continue;
    const time = parseTimestamp(text);
    if (time === undefined) throw invalidParameter(name, "must be a time as in RFC 3339");
    tests.push((lockdown) => lockdown[name] === time);
  }
  for (const part of [query.description, query.description_search]) {
    if (part !== undefined) tests.push(({ description = "" }) => contains(description, part));
  }
  for (const address of [query.ip, query.ip_search]) {
    if (address !== undefined) tests.push(names("ip", address));
  }
  const { ip_range_search: range, uri_search: part, priority } = query;
  if (range !== undefined) tests.push(names("ip_range", range));
  if (part !== undefined) tests.push(({ urls }) => urls.some((url) => contains(url, part)));
  if (priority !== undefined) tests.push((lockdown) => lockdown.priority === priority);
  return (lockdown) => tests.every((meets) => meets(lockdown));
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function names(target: LockdownConfiguration["target"], value: string): (lockdown: ZoneLockdown) => boolean {
  const asked = normalized(value);
  return ({ configurations }) =>
    configurations.some((one) => one.target === target && normalized(one.value) === asked);
}

/** Text that is neither an address nor a range stays as it is. */
function normalized(value: string): string {
  const address = parseIpAddress(value);
  if (address !== undefined) return printIpAddress(address);
  const range = parseCidr(value);
  return range === undefined ? value : printRange(range);
}

function printRange({ first, last }: IpRange): string {
  return `${printIpAddress(first)}-${printIpAddress(last)}`;
}
