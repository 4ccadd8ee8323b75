import { Type, type Static } from "@sinclair/typebox";

import {
  zoneList,
  zoneRead,
  zoneWrite,
  type ZoneWrite,
  type ZoneRead,
  collectionRead,
  type CollectionRead,
} from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import {
  changeEach,
  addFirewallRule,
  findFirewallRule,
  patched,
  putFirewallRule,
  toFirewallRule,
  refuseInvalidExpression,
  addFilter,
  findFilter,
  putFilter,
  toFilter,
} from "./firewall-rules.ts";
import {
  CreateFirewallRulesBody,
  DeleteFirewallRuleBody,
  EditFirewallRuleBody,
  EditFirewallRulesBody,
  FirewallRule,
  FirewallRuleFields,
  IdsBody,
  IdsQuery,
  ListFirewallRulesQuery,
  ReplaceFirewallRulesBody,
  CreateFiltersBody,
  Filter,
  FilterFields,
  ListFiltersQuery,
  ReplaceFiltersBody,
  ValidatedExpression,
} from "./schema.ts";
import { selectFirewallRules, selectFilters } from "./store.ts";
import { deleteRow } from "../../storage/rows.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";
import type { ExpressionContext } from "../../operation/context.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { invalidParameter } from "../../core/error.ts";

const rulesPath = "/zones/{zone_id}/firewall/rules";
const read = "Firewall Services Read";
const write = "Firewall Services Write";
const prepare = prepareChecks(filterLimits);

const editOfRule = { action: "firewall_rule_edit", show: toFirewallRule } as const;

export const listFirewallRules = zoneList({
  name: "listFirewallRules",
  summary: "List and search the firewall rules of a zone",
  path: rulesPath,
  permission: read,
  query: ListFirewallRulesQuery,
  result: FirewallRule,
  list: { orderings: ["id"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const { items, totalCount } = await selectFirewallRules(db, zone.id, query, page);
    return { items: items.map(toFirewallRule), totalCount };
  },
});

/** Errors: as `addFirewallRule`. */
export const createFirewallRules = zoneWrite({
  name: "createFirewallRules",
  summary: "Create firewall rules with their filters, all or none of them",
  method: "POST",
  path: rulesPath,
  permission: write,
  body: CreateFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(
      work,
      { action: "firewall_rule_add", show: toFirewallRule },
      body,
      async (fields, pointer) => ({
        after: await addFirewallRule({ ...work, engine }, fields, pointer),
      }),
    ),
});

/** Omitted fields get their defaults. Errors: as `putFirewallRule`. */
export const replaceFirewallRules = zoneWrite({
  name: "replaceFirewallRules",
  summary: "Replace firewall rules, all or none of them",
  method: "PUT",
  path: rulesPath,
  permission: write,
  body: ReplaceFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, editOfRule, body, ({ id, ...fields }, pointer) =>
      putFirewallRule({ ...work, engine }, id, () => fields, pointer),
    ),
});

/** Errors: as `putFirewallRule`. */
export const editFirewallRules = zoneWrite({
  name: "editFirewallRules",
  summary: "Change firewall rules, all or none of them; fields left out stay",
  method: "PATCH",
  path: rulesPath,
  permission: write,
  body: EditFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, editOfRule, body, ({ id, ...fields }, pointer) =>
      putFirewallRule({ ...work, engine }, id, (earlier) => patched(earlier, fields), pointer),
    ),
});

/** Filters are kept. Errors: 404 code 10202. */
export const deleteFirewallRules = zoneWrite({
  name: "deleteFirewallRules",
  summary: "Delete firewall rules, all or none of them",
  method: "DELETE",
  path: rulesPath,
  permission: write,
  query: IdsQuery,
  body: IdsBody,
  result: Type.Array(IdOnly),
  run: (work, { query, body }) => removeRules(work, deletedIds(query, body), { withFilters: false }),
});

/** Errors: 404 code 10202. */
export const getFirewallRule = zoneRead({
  name: "getFirewallRule",
  summary: "Get a firewall rule",
  path: `${rulesPath}/{rule_id}`,
  permission: read,
  result: FirewallRule,
  run: async ({ db, zone }, { params }) =>
    toFirewallRule(await findFirewallRule(db, zone.id, params.rule_id)),
});

/** Errors: as `putFirewallRule`. */
export const replaceFirewallRule = zoneWrite({
  name: "replaceFirewallRule",
  summary: "Replace a firewall rule; fields left out get their defaults",
  method: "PUT",
  path: `${rulesPath}/{rule_id}`,
  permission: write,
  body: FirewallRuleFields,
  result: FirewallRule,
  prepare,
  run: async (work, { params, body, prepared: engine }) => {
    const [rule] = await changeEach(work, editOfRule, [params.rule_id], (id) =>
      putFirewallRule({ ...work, engine }, id, () => body, ""),
    );
    return rule;
  },
});

/** Answers a list of one, as clients expect. Errors: as `putFirewallRule`. */
export const editFirewallRule = zoneWrite({
  name: "editFirewallRule",
  summary: "Change a firewall rule; fields left out stay",
  method: "PATCH",
  path: `${rulesPath}/{rule_id}`,
  permission: write,
  body: EditFirewallRuleBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: (work, { params, body, prepared: engine }) =>
    changeEach(work, editOfRule, [params.rule_id], (id) =>
      putFirewallRule({ ...work, engine }, id, (earlier) => patched(earlier, body), ""),
    ),
});

/** Errors: 404 code 10202. */
export const deleteFirewallRule = zoneWrite({
  name: "deleteFirewallRule",
  summary: "Delete a firewall rule, and its filter if asked to",
  method: "DELETE",
  path: `${rulesPath}/{rule_id}`,
  permission: write,
  body: DeleteFirewallRuleBody,
  result: IdOnly,
  run: async (work, { params, body }) => {
    const [deleted] = await removeRules(work, [params.rule_id], {
      withFilters: body.delete_filter_if_unused ?? false,
    });
    return deleted;
  },
});

async function removeRules(
  work: ZoneWrite,
  ids: readonly string[],
  { withFilters }: { readonly withFilters: boolean },
): Promise<{ id: string }[]> {
  const { tx, zone } = work;
  await changeEach(work, { action: "firewall_rule_delete", show: toFirewallRule }, ids, async (id) => {
    const before = await findFirewallRule(tx, zone.id, id);
    await deleteRow(tx, "firewall_rules", id);
    // A filter belongs to one rule only.
    if (withFilters) await deleteRow(tx, "filters", before.filter_id);
    return { before };
  });
  return ids.map((id) => ({ id }));
}

const filtersPath = "/zones/{zone_id}/filters";

const editOfFilter = { action: "filter_edit", show: toFilter } as const;

export const listFilters = zoneList({
  name: "listFilters",
  summary: "List and search the filters of a zone",
  path: filtersPath,
  permission: read,
  query: ListFiltersQuery,
  result: Filter,
  list: { orderings: ["id"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const { items, totalCount } = await selectFilters(db, zone.id, query, page);
    return { items: items.map(toFilter), totalCount };
  },
});

/** Errors: as `addFilter`. */
export const createFilters = zoneWrite({
  name: "createFilters",
  summary: "Create filters, all or none of them",
  method: "POST",
  path: filtersPath,
  permission: write,
  body: CreateFiltersBody,
  result: Type.Array(Filter),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, { action: "filter_add", show: toFilter }, body, async (fields, pointer) => ({
      after: await addFilter({ ...work, engine }, fields, pointer),
    })),
});

/** Errors: as `putFilter`. */
export const replaceFilters = zoneWrite({
  name: "replaceFilters",
  summary: "Replace filters, all or none of them",
  method: "PUT",
  path: filtersPath,
  permission: write,
  body: ReplaceFiltersBody,
  result: Type.Array(Filter),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, editOfFilter, body, (fields, pointer) =>
      putFilter({ ...work, engine }, fields.id, fields, pointer),
    ),
});

/** The rules of a deleted filter stay and match no request. Errors: 404 code 10102. */
export const deleteFilters = zoneWrite({
  name: "deleteFilters",
  summary: "Delete filters, all or none of them",
  method: "DELETE",
  path: filtersPath,
  permission: write,
  query: IdsQuery,
  body: IdsBody,
  result: Type.Array(IdOnly),
  run: (work, { query, body }) => removeFilters(work, deletedIds(query, body)),
});

export const validateExpression = zoneRead({
  name: "validateExpression",
  summary: "Check a filter expression",
  method: "POST",
  path: `${filtersPath}/validate-expr`,
  permission: read,
  body: ValidatedExpression,
  result: Type.Null(),
  run: ({ context, zone }: ZoneRead<ExpressionContext>, { body }) =>
    checkExpression(context, zone, body.expression),
});

/** For what every plan allows. */
const largestPlan = { plan: "enterprise" } as const;

export const validateExpressionOfAnyZone = collectionRead({
  name: "validateExpressionOfAnyZone",
  summary: "Check a filter expression, without a zone or plan",
  method: "POST",
  path: "/filters/validate-expr",
  permission: "listed",
  body: ValidatedExpression,
  result: Type.Null(),
  run: ({ context }: CollectionRead<ExpressionContext>, { body }) =>
    checkExpression(context, largestPlan, body.expression),
});

export const validateExpressionInQuery = collectionRead({
  name: "validateExpressionInQuery",
  summary: "Check a filter expression in the query, without a zone or plan",
  path: "/filters/validate-expr",
  permission: "listed",
  query: ValidatedExpression,
  result: Type.Null(),
  run: ({ context }: CollectionRead<ExpressionContext>, { query }) =>
    checkExpression(context, largestPlan, query.expression),
});

/** Errors: 404 code 10102. */
export const getFilter = zoneRead({
  name: "getFilter",
  summary: "Get a filter",
  path: `${filtersPath}/{filter_id}`,
  permission: read,
  result: Filter,
  run: async ({ db, zone }, { params }) => toFilter(await findFilter(db, zone.id, params.filter_id)),
});

/** Errors: as `putFilter`. */
export const replaceFilter = zoneWrite({
  name: "replaceFilter",
  summary: "Replace a filter; fields left out get their defaults",
  method: "PUT",
  path: `${filtersPath}/{filter_id}`,
  permission: write,
  body: FilterFields,
  result: Filter,
  prepare,
  run: async (work, { params, body, prepared: engine }) => {
    const [filter] = await changeEach(work, editOfFilter, [params.filter_id], (id) =>
      putFilter({ ...work, engine }, id, body, ""),
    );
    return filter;
  },
});

/** Errors: as `deleteFilters`. */
export const deleteFilter = zoneWrite({
  name: "deleteFilter",
  summary: "Delete a filter",
  method: "DELETE",
  path: `${filtersPath}/{filter_id}`,
  permission: write,
  result: IdOnly,
  run: async (work, { params }) => {
    const [deleted] = await removeFilters(work, [params.filter_id]);
    return deleted;
  },
});

async function removeFilters(work: ZoneWrite, ids: readonly string[]): Promise<{ id: string }[]> {
  const { tx, zone } = work;
  await changeEach(work, { action: "filter_delete", show: toFilter }, ids, async (id) => {
    const before = await findFilter(tx, zone.id, id);
    await deleteRow(tx, "filters", id);
    return { before };
  });
  return ids.map((id) => ({ id }));
}

/** Errors: 400 code 10103. */
async function checkExpression(
  context: ExpressionContext,
  zone: Pick<ZoneRow, "plan">,
  expression: string,
): Promise<null> {
  refuseInvalidExpression(await prepare({ context }, { body: expression }), zone, expression, "");
  return null;
}

/** The ids to delete, without duplicates, from query or body. Errors: 400 code 1003 without any. */
function deletedIds(query: Static<typeof IdsQuery>, body: Static<typeof IdsBody>): string[] {
  if (query.id === undefined && body.id === undefined) throw invalidParameter("id", "is required");
  const ids = [...(query.id ?? "").split(","), ...[body.id ?? []].flat()];
  return [...new Set(ids.filter((id) => id !== ""))];
}
