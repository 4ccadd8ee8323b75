import { Type } from "@sinclair/typebox";

import { collectionRead, type CollectionRead } from "../../operation/collection.ts";
import type { ExpressionContext } from "../../operation/context.ts";
import { zoneList, zoneRead, zoneWrite, type ZoneRead, type ZoneWrite } from "../../operation/zone.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow } from "../../storage/rows.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { changeEach } from "./change-each.ts";
import { refuseInvalidExpression } from "./expression-check.ts";
import { addFilter, findFilter, putFilter, toFilter } from "./filters.ts";
import { deletedIds } from "./deleted-ids.ts";
import {
  CreateFiltersBody,
  Filter,
  FilterFields,
  IdsBody,
  IdsQuery,
  ListFiltersQuery,
  ReplaceFiltersBody,
  ValidatedExpression,
} from "./schema.ts";
import { selectFilters } from "./store.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

const path = "/zones/{zone_id}/filters";
const read = "Firewall Services Read";
const write = "Firewall Services Write";
const prepare = prepareChecks(filterLimits);

const show = toFilter;
const edit = { action: "filter_edit", show } as const;

export const listFilters = zoneList({
  name: "listFilters",
  summary: "List and search the filters of a zone",
  path,
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
  path,
  permission: write,
  body: CreateFiltersBody,
  result: Type.Array(Filter),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, { action: "filter_add", show }, body, async (fields, pointer) => ({
      after: await addFilter({ ...work, engine }, fields, pointer),
    })),
});

/** Errors: as `putFilter`. */
export const replaceFilters = zoneWrite({
  name: "replaceFilters",
  summary: "Replace filters, all or none of them",
  method: "PUT",
  path,
  permission: write,
  body: ReplaceFiltersBody,
  result: Type.Array(Filter),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, edit, body, (fields, pointer) =>
      putFilter({ ...work, engine }, fields.id, fields, pointer),
    ),
});

/** The rules of a deleted filter stay and match no request. Errors: 404 code 10102. */
export const deleteFilters = zoneWrite({
  name: "deleteFilters",
  summary: "Delete filters, all or none of them",
  method: "DELETE",
  path,
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
  path: `${path}/validate-expr`,
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
  path: `${path}/{filter_id}`,
  permission: read,
  result: Filter,
  run: async ({ db, zone }, { params }) => toFilter(await findFilter(db, zone.id, params.filter_id)),
});

/** Errors: as `putFilter`. */
export const replaceFilter = zoneWrite({
  name: "replaceFilter",
  summary: "Replace a filter; fields left out get their defaults",
  method: "PUT",
  path: `${path}/{filter_id}`,
  permission: write,
  body: FilterFields,
  result: Filter,
  prepare,
  run: async (work, { params, body, prepared: engine }) => {
    const [filter] = await changeEach(work, edit, [params.filter_id], (id) =>
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
  path: `${path}/{filter_id}`,
  permission: write,
  result: IdOnly,
  run: async (work, { params }) => {
    const [deleted] = await removeFilters(work, [params.filter_id]);
    return deleted;
  },
});

async function removeFilters(work: ZoneWrite, ids: readonly string[]): Promise<{ id: string }[]> {
  const { tx, zone } = work;
  await changeEach(work, { action: "filter_delete", show }, ids, async (id) => {
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
