import { hash } from "node:crypto";

import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toFlag } from "../../storage/columns.ts";
import { isUniqueViolation } from "../../storage/errors.ts";
import type { Db, FilterRow, ZoneRow } from "../../storage/tables.ts";
import type { Context, ExpressionContext } from "../../operation/context.ts";
import { findZone } from "../../operation/scope.ts";
import { changeEach, type Changed } from "./change-each.ts";
import { refuseInvalidExpression, withCheck, type CheckingContext } from "./expression-check.ts";
import type { Filter, FilterFields, ListFiltersQuery } from "./schema.ts";
import {
  deleteFilterRow,
  insertFilter,
  selectFilter,
  selectFilters,
  updateFilter,
  type ShownFilter,
} from "./store.ts";

const answered = { type: "filter", show: toFilter } as const;
const edit = { ...answered, action: "filter_edit" } as const;

/** Errors: 404 code 1001. */
export async function listFilters(
  { db }: Context,
  zoneId: string,
  query: ListFiltersQuery,
  page: PageRequest<"id">,
): Promise<Page<Filter>> {
  await findZone(db.read, zoneId);
  const { items, totalCount } = await selectFilters(db.read, zoneId, query, page);
  return { items: items.map(toFilter), totalCount };
}

/** Errors: 404 code 1001 for the zone, 404 code 10102 for the filter. */
export async function getFilter({ db }: Context, zoneId: string, id: string): Promise<Filter> {
  await findZone(db.read, zoneId);
  return toFilter(await findFilter(db.read, zoneId, id));
}

/**
 * Makes filters, all or none.
 * Errors: 400 code 10102 for an expression that the zone has already, 400 code 10103 for one that does not parse,
 * 404 code 1001.
 */
export async function createFilters(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly FilterFields[],
): Promise<Filter[]> {
  const work = { ...answered, action: "filter_add" } as const;
  return changeEach(context, caller, zoneId, work, bodies, async (checking, tx, zone, body, pointer) => ({
    after: await addFilter(checking, tx, zone, body, pointer),
  }));
}

/** Replaces filters, all or none: what is left out gets its default. Errors: as `createFilters`. */
export async function replaceFilters(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly (FilterFields & { readonly id: string })[],
): Promise<Filter[]> {
  return changeEach(context, caller, zoneId, edit, bodies, async (checking, tx, zone, body, pointer) =>
    putFilter(checking, tx, zone, body.id, body, pointer),
  );
}

/** Errors: as `createFilters`, and 404 code 10102. */
export async function replaceFilter(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  id: string,
  body: FilterFields,
): Promise<Filter> {
  const [filter] = await changeEach(context, caller, zoneId, edit, [body], async (checking, tx, zone) =>
    putFilter(checking, tx, zone, id, body, ""),
  );
  return filter as Filter;
}

/** Deletes filters, all or none. A rule of such a filter stays, and takes no request any more. Errors: 404. */
export async function deleteFilters(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  const work = { ...answered, action: "filter_delete" } as const;
  await changeEach(context, caller, zoneId, work, ids, async (_, tx, zone, id) => {
    const before = await findFilter(tx, zone.id, id);
    await deleteFilterRow(tx, id);
    return { before };
  });
  return ids.map((id) => ({ id }));
}

/** Makes a filter in a zone that the transaction has locked. Errors: as `createFilters`. */
export async function addFilter(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  body: FilterFields,
  pointer: string,
): Promise<FilterRow> {
  const row = { id: context.newId(), zone_id: zone.id, ...toColumns(context, zone, body, pointer) };
  await orDuplicate(() => insertFilter(tx, row), pointer);
  return row;
}

async function putFilter(
  context: CheckingContext,
  tx: Db,
  zone: ZoneRow,
  id: string,
  body: FilterFields,
  pointer: string,
): Promise<Changed<FilterRow>> {
  const before = await findFilter(tx, zone.id, id);
  const after = { ...before, ...toColumns(context, zone, body, pointer) };
  await orDuplicate(() => updateFilter(tx, after), pointer);
  return { before, after };
}

/** Errors: 404 code 10102. */
export async function findFilter(db: Db, zoneId: string, id: string): Promise<FilterRow> {
  const row = await selectFilter(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 10102, "filter not found");
  return row;
}

/** A filter as the API answers it. */
export function toFilter({ id, expression, paused, description, ref }: ShownFilter): Filter {
  return { id, expression, paused: paused === 1, description, ...(ref !== null && { ref }) };
}

/**
 * Refuses an expression that no filter of the zone can have, or none of any zone where none is named; stores nothing.
 * Errors: 400 code 10103, 404 code 1001.
 */
export async function validateExpression(
  context: ExpressionContext,
  { expression }: Pick<FilterFields, "expression">,
  zoneId?: string,
): Promise<void> {
  const zone = zoneId === undefined ? ofLargestPlan : await findZone(context.db.read, zoneId);
  refuseInvalidExpression(await withCheck(context, expression), zone, expression, "");
}

const ofLargestPlan = { plan: "enterprise" } as const;

function toColumns(
  checking: CheckingContext,
  zone: ZoneRow,
  { expression, paused, description, ref }: FilterFields,
  pointer: string,
): Omit<FilterRow, "id" | "zone_id"> {
  refuseInvalidExpression(checking, zone, expression, pointer);
  return {
    expression,
    expression_hash: hash("sha256", expression),
    paused: toFlag(paused ?? false),
    description: description ?? "",
    ref: ref ?? null,
  };
}

async function orDuplicate(store: () => Promise<void>, pointer: string): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("invalid", 10102, "config duplicates an already existing config", {
      pointer: pointer === "" ? "/expression" : pointer,
    });
  }
}
