import { errorCodes } from "../../core/error-codes.ts";
import {
  aboveQuota,
  AppError,
  invalidIdentifier,
  invalidParameter,
  type ErrorDetail,
} from "../../core/error.ts";
import { actionValues, actionIssues, type ActionIssue } from "../../core/page-rules/actions.ts";
import { mayMatchInZone, parseAnyUrlPattern } from "../../core/page-rules/url-pattern.ts";
import type { PageRuleText } from "../../core/page-rules/page-rule.ts";
import { byZone, insertRow, findRow } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { PageRuleRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { plans } from "../zones/zones.ts";
import type { PageRule, PageRuleBody } from "./schema.ts";
import { selectPageRules, selectPageRulesOfZones } from "./store.ts";

/**
 * The page rules of zones, the one that goes first where several take a URL first; the result finds those of
 * one zone.
 */
export async function readPageRules(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => PageRuleText[]> {
  const rowsOf = byZone(await selectPageRulesOfZones(db, zoneIds));
  return (zoneId) =>
    rowsOf(zoneId).map(({ id, status, targets, actions }) => ({
      id,
      isActive: status === "active",
      url: fromJson(targets)[0]?.constraint.value ?? "",
      actions: fromJson(actions),
    }));
}

/** Adds a page rule to a zone that the transaction has locked. Errors: as `createPageRule`. */
export async function addPageRule(
  { now, newId }: Context,
  tx: Db,
  zone: ZoneRow,
  body: PageRuleBody,
): Promise<PageRuleRow> {
  refuseInvalid(
    body,
    body.actions.length === 0 ? [{ pointer: "/actions", message: "must hold at least one action" }] : [],
  );
  const quota = plans[zone.plan].pageRuleQuota;
  if ((await selectPageRules(tx, zone.id)).length >= quota) {
    throw aboveQuota(errorCodes.pageRules.quotaReached, quota, "page rules");
  }
  const created_on = toTimestamp(now());
  const row: PageRuleRow = {
    id: newId(),
    zone_id: zone.id,
    created_on,
    modified_on: created_on,
    ...toColumns(body),
  };
  await insertRow(tx, "page_rules", row);
  return row;
}

/** A message for each target that no URL of the zone can match: the public service takes such rules too. */
export function unmatchedTargets({ targets }: Pick<PageRule, "targets">, zone: ZoneRow): string[] {
  return targets.flatMap(({ constraint: { value } }) => {
    const pattern = parseAnyUrlPattern(value);
    if (pattern instanceof Error || mayMatchInZone(pattern, zone.name)) return [];
    return [`The target ${value} matches no URL of the zone ${zone.name}, so that the rule never applies.`];
  });
}

export async function findPageRule(db: Db, zoneId: string, id: string): Promise<PageRuleRow> {
  return findRow(db, "page_rules", { zone_id: zoneId, id }, () =>
    invalidIdentifier("Page Rule", errorCodes.pageRules.unknown),
  );
}

/** `more` are errors found by the caller. Errors: 400 code 1004 with every error in `messages`. */
export function refuseInvalid(body: PageRuleBody, more: readonly ActionIssue[] = []): void {
  const patterns = body.targets.flatMap(({ constraint }, index) => {
    const pattern = parseAnyUrlPattern(constraint.value);
    return pattern instanceof Error
      ? [{ pointer: `/targets/${index}/constraint/value`, message: pattern.message }]
      : [];
  });
  const issues = [...patterns, ...actionIssues(body.actions), ...more];
  const [first] = issues;
  if (first !== undefined) throw invalidPageRule(first.pointer, issues);
}

/** The error for a page rule with these errors, the first of which is at `pointer`: 400 code 1004. */
export function invalidPageRule(pointer: string, issues: readonly ActionIssue[]): AppError {
  return new AppError(
    "invalid",
    errorCodes.pageRules.invalid,
    "Page Rule validation failed: See messages for details.",
    {
      pointer,
      messages: issues.map((issue): ErrorDetail => ({
        code: errorCodes.pageRules.invalid,
        message: `${issue.pointer.slice(1).replaceAll("/", ".") || "body"}: ${issue.message}`,
      })),
    },
  );
}

type Columns = Pick<PageRuleRow, "targets" | "actions" | "priority" | "status">;

export function toColumns({ targets, actions, priority, status }: PageRuleBody): Columns {
  return {
    targets: toJson(
      targets.map(({ target, constraint }) => ({
        target,
        constraint: { operator: constraint.operator ?? "matches", value: constraint.value },
      })),
    ),
    // Drops the value of an action that has none.
    actions: toJson(
      actions.map(({ id, value }) => (actionValues[id] === undefined ? { id } : { id, value })),
    ),
    priority: priority ?? 1,
    status: status ?? "disabled",
  };
}

export function toPageRule(row: PageRuleRow): PageRule {
  return {
    id: row.id,
    targets: fromJson(row.targets),
    actions: fromJson(row.actions),
    priority: row.priority,
    status: row.status,
    created_on: row.created_on,
    modified_on: row.modified_on,
  };
}

export function parseDirection(text = "desc"): "asc" | "desc" {
  const direction = text.toLowerCase();
  if (direction === "asc" || direction === "desc") return direction;
  throw invalidParameter("direction", "must be one of: asc, desc");
}
