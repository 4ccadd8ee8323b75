import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody, invalidRequest, notFound } from "../../core/error.ts";
import {
  firewallRuleset,
  type FirewallRule as JudgedFirewallRule,
} from "../../core/firewall-products/firewall-rules.ts";
import type { Ruleset } from "../../core/rulesets/ruleset.ts";
import type { PreviousFirewallRule } from "../../core/waf-plan/previous-waf.ts";
import { insertRow, updateRow } from "../../storage/rows.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { FirewallRuleRow } from "../../storage/schema/rules.ts";
import type { Changed } from "./change-each.ts";
import type { CheckingWork } from "./expression-check.ts";
import { addFilter, findFilter, toFilter } from "./filters.ts";
import type { EditFirewallRuleBody, FirewallRule, FirewallRuleFields } from "./schema.ts";
import {
  selectAllFirewallRules,
  selectBypassRules,
  selectFirewallRule,
  type RuleWithFilter,
  type ShownFilter,
} from "./store.ts";

/** The bypass rules of a zone, in the order of their evaluation. */
export async function listBypassRules(db: Db, zoneId: string): Promise<PreviousFirewallRule[]> {
  return (await selectBypassRules(db, zoneId)).map(toJudged);
}

/** What judges the requests of a zone by its firewall rules; undefined without any. */
export async function readFirewallRuleset(db: Db, zoneId: string): Promise<Ruleset | undefined> {
  return firewallRuleset((await selectAllFirewallRules(db, zoneId)).map(toJudged));
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
 * Adds a rule with an existing or a new filter. Errors: as `addFilter`; 404 code 10102 for an unknown filter, 400 code
 * 10202 for one that already has a rule, 400 code 10203 for products that do not fit the action.
 */
export async function addFirewallRule(
  work: CheckingWork,
  body: FirewallRuleFields,
  pointer: string,
): Promise<RuleWithFilter> {
  const { tx, zone, context, now } = work;
  const columns = toColumns(body, pointer);
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
  const columns = toColumns(body, pointer);
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

function toColumns(body: FirewallRuleFields, pointer: string): Columns {
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
