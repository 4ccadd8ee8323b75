import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { PreviousFirewallRule } from "../../core/waf-plan/previous-waf.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import { isUniqueViolation } from "../../storage/errors.ts";
import type { Db, FirewallRuleRow, ZoneRow } from "../../storage/tables.ts";
import type { Context, ExpressionContext } from "../../operation/context.ts";
import { findZone } from "../../operation/scope.ts";
import { changeEach, type Changed } from "./change-each.ts";
import type { CheckingContext } from "./expression-check.ts";
import { addFilter, findFilter, toFilter } from "./filters.ts";
import type {
  EditFirewallRuleBody,
  FirewallRule,
  FirewallRuleFields,
  ListFirewallRulesQuery,
} from "./schema.ts";
import {
  deleteFilterRow,
  deleteFirewallRuleRow,
  insertFirewallRule,
  selectBypassRules,
  selectFirewallRule,
  selectFirewallRules,
  updateFirewallRule,
  type RuleWithFilter,
  type ShownFilter,
} from "./store.ts";

const answered = { type: "firewall_rule", show: toFirewallRule } as const;
const edit = { ...answered, action: "firewall_rule_edit" } as const;

/** Errors: 404 code 1001. */
export async function listFirewallRules(
  { db }: Context,
  zoneId: string,
  query: ListFirewallRulesQuery,
  page: PageRequest<"id">,
): Promise<Page<FirewallRule>> {
  await findZone(db.read, zoneId);
  const { items, totalCount } = await selectFirewallRules(db.read, zoneId, query, page);
  return { items: items.map(toFirewallRule), totalCount };
}

/** Errors: 404 code 1001 for the zone, 404 code 10202 for the rule. */
export async function getFirewallRule({ db }: Context, zoneId: string, id: string): Promise<FirewallRule> {
  await findZone(db.read, zoneId);
  return toFirewallRule(await findFirewallRule(db.read, zoneId, id));
}

/** The rules of a zone that bypass anything, in the order in which they are judged. */
export async function listBypassRules(db: Db, zoneId: string): Promise<PreviousFirewallRule[]> {
  const rows = await selectBypassRules(db, zoneId);
  return rows.map((row) => ({
    id: row.id,
    description: row.description,
    action: row.action,
    products: fromJson(row.products),
    isPaused: row.paused === 1 || row.filter?.paused === 1,
    expression: row.filter?.expression,
  }));
}

/**
 * Creates rules, all or none, each with an existing filter or a new one. Errors: those of `createFilters` for a new
 * filter, 404 code 10102 for an unknown one, 400 code 10202 for one that already has a rule, 400 code 10203 for
 * products that do not go with the action; 404 code 1001.
 */
export async function createFirewallRules(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly FirewallRuleFields[],
): Promise<FirewallRule[]> {
  const work = { ...answered, action: "firewall_rule_add" } as const;
  return changeEach(context, caller, zoneId, work, bodies, async (checking, tx, zone, body, pointer) => ({
    after: await addRule(checking, tx, zone, body, pointer),
  }));
}

/** Makes one rule in a zone that the transaction has locked. Errors: as `createFirewallRules`. */
export async function addFirewallRule(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  body: FirewallRuleFields,
): Promise<void> {
  await addRule(context, tx, zone, body, "");
}

/** Replaces rules, all or none: what is left out gets its default. Errors: as `createFirewallRules`. */
export async function replaceFirewallRules(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly (FirewallRuleFields & { readonly id: string })[],
): Promise<FirewallRule[]> {
  const changes = bodies.map(({ id, ...body }): RuleChange => ({ id, fields: () => body }));
  return putRules(context, caller, zoneId, changes);
}

/** Changes rules, all or none: what is left out stays. Errors: as `createFirewallRules`. */
export async function editFirewallRules(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly (EditFirewallRuleBody & { readonly id: string })[],
): Promise<FirewallRule[]> {
  const changes = bodies.map(({ id, ...body }): RuleChange => ({
    id,
    fields: (earlier) => patched(earlier, body),
  }));
  return putRules(context, caller, zoneId, changes);
}

/** Errors: as `createFirewallRules`, and 404 code 10202. */
export async function replaceFirewallRule(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  id: string,
  body: FirewallRuleFields,
): Promise<FirewallRule> {
  const [rule] = await changeEach(context, caller, zoneId, edit, [body], async (checking, tx, zone) =>
    putRule(checking, tx, zone, id, () => body, ""),
  );
  return rule as FirewallRule;
}

/** Errors: as `replaceFirewallRule`. */
export async function editFirewallRule(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  id: string,
  body: EditFirewallRuleBody,
): Promise<FirewallRule> {
  const [rule] = await changeEach(context, caller, zoneId, edit, [body], async (checking, tx, zone) =>
    putRule(checking, tx, zone, id, (earlier) => patched(earlier, body), ""),
  );
  return rule as FirewallRule;
}

/**
 * Deletes rules, all or none; their filters stay unless they are to go as well. Errors: 404 code 1001, 404 code 10202.
 */
export async function deleteFirewallRules(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  ids: readonly string[],
  { withFilters = false } = {},
): Promise<{ id: string }[]> {
  const work = { ...answered, action: "firewall_rule_delete" } as const;
  await changeEach(context, caller, zoneId, work, ids, async (_, tx, zone, id) => {
    const before = await findFirewallRule(tx, zone.id, id);
    await deleteFirewallRuleRow(tx, id);
    // No other rule can have it.
    if (withFilters) await deleteFilterRow(tx, before.filter_id);
    return { before };
  });
  return ids.map((id) => ({ id }));
}

async function addRule(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  body: FirewallRuleFields,
  pointer: string,
): Promise<RuleWithFilter> {
  const columns = toColumns(body, pointer);
  const filter = await filterOf(context, tx, zone, body, pointer);
  const created_on = toTimestamp(context.now());
  const row: FirewallRuleRow = {
    id: context.newId(),
    zone_id: zone.id,
    filter_id: filter.id,
    ...columns,
    created_on,
    modified_on: created_on,
  };
  await orTaken(() => insertFirewallRule(tx, row), pointer);
  return { ...row, filter };
}

/** What a rule is to say from now on, by what it said. */
interface RuleChange {
  readonly id: string;
  readonly fields: (earlier: RuleWithFilter) => FirewallRuleFields;
}

async function putRules(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  changes: readonly RuleChange[],
): Promise<FirewallRule[]> {
  return changeEach(
    context,
    caller,
    zoneId,
    edit,
    changes,
    async (checking, tx, zone, { id, fields }, pointer) => putRule(checking, tx, zone, id, fields, pointer),
  );
}

async function putRule(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  id: string,
  change: (earlier: RuleWithFilter) => FirewallRuleFields,
  pointer: string,
): Promise<Changed<RuleWithFilter>> {
  const before = await findFirewallRule(tx, zone.id, id);
  const body = change(before);
  const columns = toColumns(body, pointer);
  const filter = keepsFilter(before, body) ? before.filter : await filterOf(context, tx, zone, body, pointer);
  const { filter: _, ...row } = before;
  const changed: FirewallRuleRow = {
    ...row,
    ...columns,
    filter_id: filter?.id ?? before.filter_id,
    modified_on: toTimestamp(context.now()),
  };
  await orTaken(() => updateFirewallRule(tx, changed), pointer);
  return { before, after: { ...changed, filter } };
}

/** Whether a body names the filter that the rule has, or says the same without naming any. */
function keepsFilter({ filter_id, filter: own }: RuleWithFilter, { filter }: FirewallRuleFields): boolean {
  if (filter.id) return filter.id === filter_id && !filter.expression;
  return own !== undefined && filter.expression === own.expression;
}

/** A filter that is sent whole and with the id of one that exists is that one: the rule does not change it. */
async function filterOf(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  { filter }: FirewallRuleFields,
  pointer: string,
): Promise<ShownFilter> {
  if (filter.id) return findFilter(tx, zone.id, filter.id);
  const { expression, ...rest } = filter;
  if (!expression) {
    throw new AppError("invalid", 1003, "Invalid body `filter`: must have an id or an expression", {
      pointer: `${pointer}/filter`,
    });
  }
  return addFilter(context, tx, zone, { ...rest, expression }, `${pointer}/filter`);
}

function patched(earlier: RuleWithFilter, body: EditFirewallRuleBody): FirewallRuleFields {
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
    throw new AppError("invalid", 10203, `Invalid body \`products\`: ${rule}`, {
      pointer: `${pointer}/products`,
    });
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

async function findFirewallRule(db: Db, zoneId: string, id: string): Promise<RuleWithFilter> {
  const row = await selectFirewallRule(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 10202, "firewall rule not found");
  return row;
}

function toFirewallRule(row: RuleWithFilter): FirewallRule {
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

async function orTaken(store: () => Promise<void>, pointer: string): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("invalid", 10202, "The filter already has a firewall rule", {
      pointer: `${pointer}/filter`,
    });
  }
}
