import type { Caller } from "../../core/caller.ts";
import { AppError, invalidParameter, type ErrorDetail } from "../../core/error.ts";
import { actionForms, actionIssues } from "../../core/page-rules/actions.ts";
import { parseUrlPattern } from "../../core/page-rules/url-pattern.ts";
import type { PreviousPageRule } from "../../core/waf-plan/previous-waf.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db, PageRuleRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type ChangeSubject } from "../audit-logs/audit-logs.ts";
import type { Context } from "../context.ts";
import { findZone, lockZone, plans } from "../zones/zones.ts";
import type { EditPageRuleBody, ListPageRulesQuery, PageRule, PageRuleBody } from "./schema.ts";
import {
  deletePageRuleRow,
  insertPageRule,
  selectPageRule,
  selectPageRules,
  updatePageRule,
} from "./store.ts";

/** All page rules of a zone, not paginated. Errors: 400 code 1003, 404 code 1001. */
export async function listPageRules(
  { db }: Context,
  zoneId: string,
  query: ListPageRulesQuery,
): Promise<PageRule[]> {
  await findZone(db.read, zoneId);
  const direction = parseDirection(query.direction);
  const rows = await selectPageRules(db.read, zoneId);
  const listed = rows.filter((row) => query.status === undefined || row.status === query.status);
  const ordered =
    query.order === "status"
      ? listed.toSorted((one, other) => other.status.localeCompare(one.status))
      : listed;
  return (direction === "desc" ? ordered : ordered.toReversed()).map(toPageRule);
}

/** The page rules of a zone, the one that goes first where several take a URL first. */
export async function listPageRulesOfZone(db: Db, zone: ZoneRow): Promise<PreviousPageRule[]> {
  const rows = await selectPageRules(db, zone.id);
  return rows.flatMap((row) => {
    const [target] = fromJson(row.targets);
    const url = target?.constraint.value ?? "";
    const pattern = parseUrlPattern(url, zone.name);
    if (pattern instanceof Error) return [];
    return [{ id: row.id, isActive: row.status === "active", pattern, url, actions: fromJson(row.actions) }];
  });
}

/** Errors: 404 code 1001 for the zone, 404 code 1002 for the rule. */
export async function getPageRule({ db }: Context, zoneId: string, id: string): Promise<PageRule> {
  await findZone(db.read, zoneId);
  return toPageRule(await findPageRule(db.read, zoneId, id));
}

/**
 * Errors: 400 code 1004 with every error in `messages`, 400 code 1405 above the quota of the plan, 404 code 1001.
 */
export async function createPageRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: PageRuleBody,
): Promise<PageRule> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await addPageRule(context, tx, zone, body);
    const after = toPageRule(row);
    await recordChanges(context, tx, caller, [{ action: "page_rule_add", ...subjectOf(zone, row), after }]);
    return after;
  });
}

/** Makes a page rule in a zone that the transaction has locked. Errors: as `createPageRule`. */
export async function addPageRule(
  { now, newId }: Context,
  tx: Db,
  zone: ZoneRow,
  body: PageRuleBody,
): Promise<PageRuleRow> {
  refuseIssues(body, zone);
  const quota = plans[zone.plan].pageRuleQuota;
  if ((await selectPageRules(tx, zone.id)).length >= quota) {
    throw new AppError("invalid", 1405, `The zone already has its maximum of ${quota} page rules`);
  }
  const created_on = toTimestamp(now());
  const row: PageRuleRow = {
    id: newId(),
    zone_id: zone.id,
    created_on,
    modified_on: created_on,
    ...toColumns(body),
  };
  await insertPageRule(tx, row);
  return row;
}

/** Replaces a page rule: what is left out gets its default. Errors: as `createPageRule`, and 404 code 1002. */
export async function replacePageRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: PageRuleBody,
): Promise<PageRule> {
  return changePageRule(context, caller, zoneId, id, () => body);
}

/** Changes a page rule: what is left out stays. Errors: as `replacePageRule`. */
export async function editPageRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: EditPageRuleBody,
): Promise<PageRule> {
  return changePageRule(context, caller, zoneId, id, (earlier) => ({
    targets: body.targets ?? earlier.targets,
    actions: body.actions ?? earlier.actions,
    priority: body.priority ?? earlier.priority,
    status: body.status ?? earlier.status,
  }));
}

/** Errors: 404 code 1001 for the zone, 404 code 1002 for the rule. */
export async function deletePageRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findPageRule(tx, zoneId, id);
    await deletePageRuleRow(tx, id);
    await recordChanges(context, tx, caller, [
      { action: "page_rule_delete", ...subjectOf(zone, row), before: toPageRule(row) },
    ]);
    return { id };
  });
}

/** The actions that a page rule can have, and what their values must be. Errors: 404 code 1001. */
export async function listPageRuleSettings({ db }: Context, zoneId: string) {
  await findZone(db.read, zoneId);
  return Object.entries(actionForms).map(([id, form]) => ({
    id,
    properties: form === undefined ? [] : [{ name: "value" as const, rule: form.rule }],
  }));
}

async function changePageRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  change: (earlier: PageRule) => PageRuleBody,
): Promise<PageRule> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findPageRule(tx, zoneId, id);
    const before = toPageRule(row);
    const body = change(before);
    refuseIssues(body, zone);
    const changed = { ...toColumns(body), modified_on: toTimestamp(context.now()) };
    await updatePageRule(tx, id, changed);
    const after = toPageRule({ ...row, ...changed });
    await recordChanges(context, tx, caller, [
      { action: "page_rule_edit", ...subjectOf(zone, row), before, after },
    ]);
    return after;
  });
}

async function findPageRule(db: Db, zoneId: string, id: string): Promise<PageRuleRow> {
  const row = await selectPageRule(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 1002, "Invalid Page Rule identifier");
  return row;
}

function refuseIssues(body: PageRuleBody, zone: ZoneRow): void {
  const patterns = body.targets.flatMap(({ constraint }, index) => {
    const pattern = parseUrlPattern(constraint.value, zone.name);
    return pattern instanceof Error
      ? [{ pointer: `/targets/${index}/constraint/value`, message: pattern.message }]
      : [];
  });
  const issues = [...patterns, ...actionIssues(body.actions)];
  const [first] = issues;
  if (first === undefined) return;
  throw new AppError("invalid", 1004, "Page Rule validation failed: See messages for details.", {
    pointer: first.pointer,
    messages: issues.map(({ pointer, message }): ErrorDetail => ({
      code: 1004,
      message: `${pointer.slice(1).replaceAll("/", ".")}: ${message}`,
    })),
  });
}

type Columns = Pick<PageRuleRow, "targets" | "actions" | "priority" | "status">;

function toColumns({ targets, actions, priority, status }: PageRuleBody): Columns {
  return {
    targets: toJson(
      targets.map(({ target, constraint }) => ({
        target,
        constraint: { operator: constraint.operator ?? "matches", value: constraint.value },
      })),
    ),
    // An action without a value keeps none, whatever was sent.
    actions: toJson(actions.map(({ id, value }) => (actionForms[id] === undefined ? { id } : { id, value }))),
    priority: priority ?? 1,
    status: status ?? "disabled",
  };
}

function toPageRule(row: PageRuleRow): PageRule {
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

function subjectOf(zone: ZoneRow, { id }: PageRuleRow): ChangeSubject {
  return { owner: { zone }, resource: { type: "page_rule", id } };
}

function parseDirection(text = "desc"): "asc" | "desc" {
  const direction = text.toLowerCase();
  if (direction === "asc" || direction === "desc") return direction;
  throw invalidParameter("direction", "must be one of: asc, desc");
}
