import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidIdentifier } from "../../core/error.ts";
import { parseUrlPattern } from "../../core/page-rules/url-pattern.ts";
import { findWafGroup, findWafRule } from "../../core/previous-waf/catalogue.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { insertRow, findRow } from "../../storage/rows.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { WafOverrideRow } from "../../storage/schema/previous-waf.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { WafOverride, WafOverrideBody } from "./schema.ts";

/** Errors: 400 code 1003 with a pointer to the first error. */
export async function addWafOverride(
  { tx, zone, context, now }: Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">,
  body: WafOverrideBody,
): Promise<WafOverrideRow> {
  const row: WafOverrideRow = {
    id: context.newId(),
    zone_id: zone.id,
    created_on: toTimestamp(now),
    ...toColumns(body, zone),
  };
  await insertRow(tx, "waf_overrides", row);
  return row;
}

/** Errors: 404 code 1002. */
export async function findWafOverride(db: Db, zoneId: string, id: string): Promise<WafOverrideRow> {
  return findRow(db, "waf_overrides", { zone_id: zoneId, id }, () =>
    invalidIdentifier("WAF override", errorCodes.previousWaf.unknown),
  );
}

/** The columns of a body, with defaults for omitted fields. Errors: as `addWafOverride`. */
export function toColumns(
  body: WafOverrideBody,
  zone: ZoneRow,
): Omit<WafOverrideRow, "id" | "zone_id" | "created_on"> {
  for (const [index, url] of body.urls.entries()) {
    // A host of `*` means every host of the zone.
    const pattern = parseUrlPattern(url.replace(/^\*(?=\/|$)/, `*${zone.name}`), zone.name);
    if (pattern instanceof Error) throw invalidBody(`/urls/${index}`, pattern.message);
  }
  for (const id of Object.keys(body.groups ?? {})) {
    if (findWafGroup(id) === undefined) throw invalidBody(`/groups/${id}`, "there is no such group");
  }
  for (const id of Object.keys(body.rules ?? {})) {
    if (findWafRule(id) === undefined) throw invalidBody(`/rules/${id}`, "there is no such rule");
  }
  for (const mode of Object.keys(body.rewrite_action ?? {})) {
    if (!["default", "disable", "simulate", "block", "challenge"].includes(mode)) {
      throw invalidBody(`/rewrite_action/${mode}`, "there is no such mode");
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

export function toWafOverride(row: WafOverrideRow): WafOverride {
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
