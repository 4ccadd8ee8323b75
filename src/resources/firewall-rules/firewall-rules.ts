import { hash } from "node:crypto";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest, notFound, invalidBody } from "../../core/error.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import type { ExpressionContext, ExpressionEngine } from "../../operation/context.ts";
import type { WriteWork } from "../../operation/scoped.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { createPause } from "../../operation/pause.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";
import { listsNamedIn } from "../../core/expression/named-lists.ts";
import { listIssue, type NamedLists } from "../../core/lists/named-lists.ts";
import { tellNeutralFields } from "../../operation/expression-checks.ts";
import { byZone, findRow, insertRow, updateRow } from "../../storage/rows.ts";
import { toFlag, fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { FilterRow, FirewallRuleRow } from "../../storage/schema/rules.ts";
import { findListKinds, saveListReferences } from "../lists/lists.ts";
import type {
  Filter,
  FilterFields,
  EditFirewallRuleBody,
  FirewallRule,
  FirewallRuleFields,
} from "./schema.ts";
import {
  type ShownFilter,
  selectFirewallRule,
  selectFirewallRulesOfZones,
  type RuleWithFilter,
} from "./store.ts";
import type { FirewallRule as JudgedFirewallRule } from "../../core/firewall-products/firewall-rules.ts";

/** Filters may use what rules of this phase may. */
const filterPhase = "http_request_firewall_custom";

/** A unit of work with the engine that checks expressions, which cannot be loaded within a transaction. */
interface CheckingWork
  extends
    Pick<ZoneChangeWork, "tx" | "zone" | "now" | "context">,
    Partial<Pick<WriteWork<object, ExpressionContext>, "addMessage">> {
  readonly engine: ExpressionEngine;
}

/** Errors: 400 code 10103 for an expression that is invalid on that plan. */
export function refuseInvalidExpression(
  engine: ExpressionEngine,
  { plan }: Pick<ZoneRow, "plan">,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > filterLimits.octetsMax) {
    throw new AppError(
      "invalid",
      errorCodes.filters.invalidExpression,
      `The expression exceeds ${filterLimits.octetsMax} bytes`,
      at,
    );
  }
  const issue = engine.issueInFilter(expression, {
    limits: filterLimits,
    plan,
    phase: filterPhase,
  });
  if (issue !== undefined) throw new AppError("invalid", errorCodes.filters.invalidExpression, issue, at);
}

interface Changed<Row> {
  readonly before?: Row;
  readonly after?: Row;
}

/** The name of a change in the audit log, and the form in which it and the API show the row. */
interface Naming<Row, Shown> {
  readonly action: AuditAction;
  readonly show: (row: Row) => Shown;
}

/**
 * Changes each of `items` and answers the results. `change` gets the pointer to its item. Errors: those of
 * `change`.
 */
export async function changeEach<Row extends { readonly id: string }, Shown, Item>(
  { audit }: Pick<ChangeWork, "audit">,
  { action, show }: Naming<Row, Shown>,
  items: readonly Item[],
  change: (item: Item, pointer: string) => Promise<Changed<Row>>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  const pause = createPause();
  for (const [index, item] of items.entries()) {
    const { before, after } = await change(item, `/${index}`);
    audit({
      action,
      id: (after ?? before)?.id ?? "",
      ...(before && { before: show(before) }),
      ...(after && { after: show(after) }),
    });
    if (after) shown.push(show(after));
    await pause();
  }
  return shown;
}

/** Errors: 400 code 10102 for an expression that the zone has already, 400 code 10103 for an invalid one. */
export async function addFilter(work: CheckingWork, body: FilterFields, pointer: string): Promise<FilterRow> {
  const { tx, zone, context } = work;
  const row = { id: context.newId(), zone_id: zone.id, ...toFilterColumns(work, body, pointer) };
  await refuseUnknownLists(work, row.expression, pointer);
  tellNeutralFields(work.addMessage, [row.expression]);
  await insertRow(tx, "filters", row, () => duplicate(pointer));
  await saveListsOf(work, row);
  return row;
}

/** Omitted fields get their defaults. Errors: as `addFilter`, and 404 code 10102. */
export async function putFilter(
  work: CheckingWork,
  id: string,
  body: FilterFields,
  pointer: string,
): Promise<Changed<FilterRow>> {
  const { tx, zone } = work;
  const before = await findFilter(tx, zone.id, id);
  const after = { ...before, ...toFilterColumns(work, body, pointer) };
  await refuseUnknownLists(work, after.expression, pointer);
  tellNeutralFields(work.addMessage, [after.expression]);
  await updateRow(tx, "filters", id, after, () => duplicate(pointer));
  await saveListsOf(work, after);
  return { before, after };
}

type ZoneWork = Pick<CheckingWork, "tx" | "zone">;

/**
 * Errors: 400 code 10103 for an expression that names a list which the account does not have, or of another
 * kind.
 */
async function refuseUnknownLists(
  { tx, zone }: ZoneWork,
  expression: string,
  pointer: string,
): Promise<void> {
  const names = listNamesOf(expression);
  if (names.length === 0) return;
  const kinds = await findListKinds(tx, zone.account_id, names);
  const { plan } = zone;
  const lists: NamedLists = { kindOf: (name: string) => kinds.get(name), phase: filterPhase, plan };
  const issue = listIssue(expression, lists, filterLimits);
  if (issue === undefined) return;
  throw new AppError("invalid", errorCodes.filters.invalidExpression, issue, {
    pointer: `${pointer}/expression`,
  });
}

async function saveListsOf({ tx, zone }: ZoneWork, { id, expression }: FilterRow): Promise<void> {
  const referrer = { accountId: zone.account_id, filterId: id };
  await saveListReferences(tx, referrer, listNamesOf(expression));
}

function listNamesOf(expression: string): string[] {
  return [...new Set(listsNamedIn(expression, filterLimits).map(({ name }) => name))];
}

/** Errors: 404 code 10102. */
export async function findFilter(db: Db, zoneId: string, id: string): Promise<FilterRow> {
  return findRow(db, "filters", { zone_id: zoneId, id }, () =>
    notFound(errorCodes.filters.unknown, "filter not found"),
  );
}

export function toFilter({ id, expression, paused, description, ref }: ShownFilter): Filter {
  return { id, expression, paused: paused === 1, description, ...(ref !== null && { ref }) };
}

function toFilterColumns(
  { engine, zone }: CheckingWork,
  { expression, paused, description, ref }: FilterFields,
  pointer: string,
): Omit<FilterRow, "id" | "zone_id"> {
  refuseInvalidExpression(engine, zone, expression, pointer);
  return {
    expression,
    expression_hash: hash("sha256", expression),
    paused: toFlag(paused ?? false),
    description: description ?? "",
    ref: ref ?? null,
  };
}

function duplicate(pointer: string): AppError {
  const message = "config duplicates an already existing config";
  return invalidRequest(errorCodes.filters.exists, message, pointer === "" ? "/expression" : pointer);
}

/** The firewall rules of zones, in the order of their creation; the result finds those of one zone. */
export async function readFirewallRules(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => JudgedFirewallRule[]> {
  const rowsOf = byZone(await selectFirewallRulesOfZones(db, zoneIds));
  return (zoneId) => rowsOf(zoneId).map(toJudged);
}

function toJudged(row: RuleWithFilter): JudgedFirewallRule {
  return {
    id: row.id,
    description: row.description,
    action: row.action,
    products: fromJson(row.products),
    isPaused: row.paused === 1 || row.filter?.paused === 1,
    expression: row.filter?.expression,
    priority: row.priority,
    modifiedOn: row.modified_on,
  };
}

/**
 * Adds a rule with an existing or a new filter. Errors: as `addFilter`; 404 code 10102 for an unknown filter,
 * 400 code 10202 for one that already has a rule, 400 code 10203 for products that do not fit the action.
 */
export async function addFirewallRule(
  work: CheckingWork,
  body: FirewallRuleFields,
  pointer: string,
): Promise<RuleWithFilter> {
  const { tx, zone, context, now } = work;
  const columns = toRuleColumns(body, pointer);
  const filter = await filterOf(work, body, pointer);
  const created_on = toTimestamp(now);
  const row: FirewallRuleRow = {
    id: context.newId(),
    zone_id: zone.id,
    filter_id: filter.id,
    ...columns,
    created_on,
    modified_on: created_on,
  };
  await insertRow(tx, "firewall_rules", row, () => filterTaken(pointer));
  return { ...row, filter };
}

/** Replaces a rule by what `change` makes of it. Errors: as `addFirewallRule`, and 404 code 10202. */
export async function putFirewallRule(
  work: CheckingWork,
  id: string,
  change: (earlier: RuleWithFilter) => FirewallRuleFields,
  pointer: string,
): Promise<Changed<RuleWithFilter>> {
  const { tx, zone, now } = work;
  const before = await findFirewallRule(tx, zone.id, id);
  const body = change(before);
  const columns = toRuleColumns(body, pointer);
  const filter = keepsFilter(before, body) ? before.filter : await filterOf(work, body, pointer);
  const { filter: _, ...row } = before;
  const changed: FirewallRuleRow = {
    ...row,
    ...columns,
    filter_id: filter?.id ?? before.filter_id,
    modified_on: toTimestamp(now),
  };
  await updateRow(tx, "firewall_rules", id, changed, () => filterTaken(pointer));
  return { before, after: { ...changed, filter } };
}

/** Whether a body names the rule's own filter, or has the same expression and no id. */
function keepsFilter({ filter_id, filter: own }: RuleWithFilter, { filter }: FirewallRuleFields): boolean {
  if (filter.id) return filter.id === filter_id && !filter.expression;
  return own !== undefined && filter.expression === own.expression;
}

/** A body with the id of an existing filter uses that filter unchanged. */
async function filterOf(
  work: CheckingWork,
  { filter }: FirewallRuleFields,
  pointer: string,
): Promise<ShownFilter> {
  if (filter.id) return findFilter(work.tx, work.zone.id, filter.id);
  const { expression, ...rest } = filter;
  if (!expression) {
    throw invalidBody(`${pointer}/filter`, "must have an id or an expression");
  }
  return addFilter(work, { ...rest, expression }, `${pointer}/filter`);
}

/** The rule after a change in which omitted fields keep their values. */
export function patched(earlier: RuleWithFilter, body: EditFirewallRuleBody): FirewallRuleFields {
  const { action, products, priority, paused, description, ref } = toFirewallRule(earlier);
  return {
    action: body.action ?? action,
    filter: body.filter ?? { id: earlier.filter_id },
    products:
      body.products ?? (body.action === undefined || body.action === "bypass" ? products : undefined) ?? null,
    priority: body.priority === undefined ? priority : body.priority,
    paused: body.paused ?? paused,
    description: body.description ?? description,
    ref: body.ref ?? ref ?? null,
  };
}

type Columns = Pick<FirewallRuleRow, "action" | "products" | "priority" | "paused" | "description" | "ref">;

function toRuleColumns(body: FirewallRuleFields, pointer: string): Columns {
  const products = body.products ?? [];
  if ((body.action === "bypass") !== products.length > 0) {
    const rule =
      body.action === "bypass" ? "`bypass` needs at least one" : `\`${body.action}\` has none of them`;
    throw invalidBody(`${pointer}/products`, rule, errorCodes.firewallRules.invalidProducts);
  }
  return {
    action: body.action,
    products: toJson([...new Set(products)]),
    priority: body.priority ?? null,
    paused: toFlag(body.paused ?? false),
    description: body.description ?? "",
    ref: body.ref ?? null,
  };
}

/** Errors: 404 code 10202. */
export async function findFirewallRule(db: Db, zoneId: string, id: string): Promise<RuleWithFilter> {
  const row = await selectFirewallRule(db, zoneId, id);
  if (row === undefined) throw notFound(errorCodes.firewallRules.unknown, "firewall rule not found");
  return row;
}

export function toFirewallRule(row: RuleWithFilter): FirewallRule {
  return {
    id: row.id,
    paused: row.paused === 1,
    description: row.description,
    action: row.action,
    ...(row.action === "bypass" && { products: fromJson(row.products) }),
    priority: row.priority,
    ...(row.ref !== null && { ref: row.ref }),
    filter: row.filter === undefined ? { id: row.filter_id, deleted: true } : toFilter(row.filter),
    created_on: row.created_on,
    modified_on: row.modified_on,
  };
}

function filterTaken(pointer: string): AppError {
  const message = "The filter already has a firewall rule";
  return invalidRequest(errorCodes.firewallRules.exists, message, `${pointer}/filter`);
}
