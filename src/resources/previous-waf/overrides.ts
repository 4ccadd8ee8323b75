import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { parseUrlPattern } from "../../core/page-rules/url-pattern.ts";
import { findWafGroup, findWafRule } from "../../core/previous-waf/catalogue.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db, WafOverrideRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type ChangeSubject } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { requirePreviousWaf } from "../zones/zones.ts";
import type { WafOverride, WafOverrideBody } from "./schema.ts";
import {
  deleteWafOverrideRow,
  insertWafOverride,
  selectWafOverride,
  selectWafOverrides,
  updateWafOverride,
} from "./store.ts";

/** Errors: 404 code 1001, 410 code 10410 once the zone has migrated. */
export async function listWafOverrides(
  { db }: Context,
  zoneId: string,
  page: PageRequest<"priority">,
): Promise<Page<WafOverride>> {
  requirePreviousWaf(await findZone(db.read, zoneId));
  const { items, totalCount } = await selectWafOverrides(db.read, zoneId, page);
  return { items: items.map(toWafOverride), totalCount };
}

/** Errors: as `listWafOverrides`, and 404 code 1002. */
export async function getWafOverride({ db }: Context, zoneId: string, id: string): Promise<WafOverride> {
  requirePreviousWaf(await findZone(db.read, zoneId));
  return toWafOverride(await findWafOverride(db.read, zoneId, id));
}

/** Errors: 400 code 1003 with a pointer to the first error, 404 code 1001, 410 code 10410. */
export async function createWafOverride(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: WafOverrideBody,
): Promise<WafOverride> {
  return context.db.transaction(async (tx) => {
    const zone = requirePreviousWaf(await lockZone(tx, zoneId));
    const row = await addWafOverride(context, tx, zone, body);
    const after = toWafOverride(row);
    await recordChanges(context, tx, caller, [
      { action: "waf_override_add", ...subjectOf(zone, row), after },
    ]);
    return after;
  });
}

/** Makes an override in a zone that the transaction has locked. Errors: 400 code 1003. */
export async function addWafOverride(
  { now, newId }: Context,
  tx: Db,
  zone: ZoneRow,
  body: WafOverrideBody,
): Promise<WafOverrideRow> {
  const row: WafOverrideRow = {
    id: newId(),
    zone_id: zone.id,
    created_on: toTimestamp(now()),
    ...toColumns(body, zone),
  };
  await insertWafOverride(tx, row);
  return row;
}

/** Replaces an override: what is left out gets its default. Errors: as `createWafOverride`, and 404 code 1002. */
export async function replaceWafOverride(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: WafOverrideBody,
): Promise<WafOverride> {
  return context.db.transaction(async (tx) => {
    const zone = requirePreviousWaf(await lockZone(tx, zoneId));
    const row = await findWafOverride(tx, zoneId, id);
    const changed = { ...row, ...toColumns(body, zone) };
    await updateWafOverride(tx, changed);
    const [before, after] = [toWafOverride(row), toWafOverride(changed)];
    await recordChanges(context, tx, caller, [
      { action: "waf_override_edit", ...subjectOf(zone, row), before, after },
    ]);
    return after;
  });
}

/** Errors: as `getWafOverride`. */
export async function deleteWafOverride(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = requirePreviousWaf(await lockZone(tx, zoneId));
    const row = await findWafOverride(tx, zoneId, id);
    await deleteWafOverrideRow(tx, id);
    await recordChanges(context, tx, caller, [
      { action: "waf_override_delete", ...subjectOf(zone, row), before: toWafOverride(row) },
    ]);
    return { id };
  });
}

async function findWafOverride(db: Db, zoneId: string, id: string): Promise<WafOverrideRow> {
  const row = await selectWafOverride(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 1002, "Invalid WAF override identifier");
  return row;
}

function subjectOf(zone: ZoneRow, { id }: WafOverrideRow): ChangeSubject {
  return { owner: { zone }, resource: { type: "waf_override", id } };
}

function toColumns(
  body: WafOverrideBody,
  zone: ZoneRow,
): Omit<WafOverrideRow, "id" | "zone_id" | "created_on"> {
  const refuse = (pointer: string, rule: string): never => {
    throw new AppError("invalid", 1003, `Invalid body \`${pointer.slice(1)}\`: ${rule}`, { pointer });
  };
  for (const [index, url] of body.urls.entries()) {
    // A host of `*` alone means every host of the zone.
    const pattern = parseUrlPattern(url.replace(/^\*(?=\/|$)/, `*${zone.name}`), zone.name);
    if (pattern instanceof Error) refuse(`/urls/${index}`, pattern.message);
  }
  for (const id of Object.keys(body.groups ?? {})) {
    if (findWafGroup(id) === undefined) refuse(`/groups/${id}`, "there is no such group");
  }
  for (const id of Object.keys(body.rules ?? {})) {
    if (findWafRule(id) === undefined) refuse(`/rules/${id}`, "there is no such rule");
  }
  for (const mode of Object.keys(body.rewrite_action ?? {})) {
    if (!["default", "disable", "simulate", "block", "challenge"].includes(mode)) {
      refuse(`/rewrite_action/${mode}`, "there is no such mode");
    }
  }
  return {
    paused: toFlag(body.paused ?? false),
    urls: toJson(body.urls),
    priority: body.priority ?? 0,
    groups: toJson(body.groups ?? {}),
    rules: toJson(body.rules ?? {}),
    rewrite_action: toJson(body.rewrite_action ?? {}),
    description: body.description ?? null,
  };
}

function toWafOverride(row: WafOverrideRow): WafOverride {
  return {
    id: row.id,
    paused: row.paused === 1,
    urls: fromJson(row.urls),
    priority: row.priority,
    groups: fromJson(row.groups),
    rules: fromJson(row.rules),
    rewrite_action: fromJson(row.rewrite_action),
    description: row.description,
  };
}
