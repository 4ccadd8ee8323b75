import { hash } from "node:crypto";

import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toFlag } from "../../storage/columns.ts";
import { isUniqueViolation } from "../../storage/errors.ts";
import type { Db, FilterRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type AuditAction, type Change } from "../audit-logs/audit-logs.ts";
import type { Context } from "../context.ts";
import { findZone, holdZone, type PlanName } from "../zones/zones.ts";
import type { Filter, FilterFields, ListFiltersQuery } from "./schema.ts";
import {
  deleteFilterRow,
  insertFilter,
  selectFilter,
  selectFilters,
  updateFilter,
  type ShownFilter,
} from "./store.ts";

/** What is wrong with a filter expression of a zone of that plan, as the language words it; undefined for nothing. */
export type FilterCheck = (expression: string, plan: PlanName) => string | undefined;

export interface FilterContext extends Context {
  /** Loads what checks expressions, when it is first needed. */
  readonly loadFilterCheck: () => Promise<FilterCheck>;
}

/** The same within a transaction, where nothing can be waited for. */
export interface CheckingContext extends FilterContext {
  readonly checkFilter: FilterCheck;
}

export async function withCheck(context: FilterContext): Promise<CheckingContext> {
  return { ...context, checkFilter: await context.loadFilterCheck() };
}

/** Octets of the longest expression that is kept; a migration takes 4,096 at most (decision 20). */
const expressionBytesMax = 16 * 1024;

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
  context: FilterContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly FilterFields[],
): Promise<Filter[]> {
  return changeFilters(context, caller, zoneId, "filter_add", async (checking, tx, zone) => {
    const changed: Changed[] = [];
    for (const [index, body] of bodies.entries()) {
      changed.push({ after: await addFilter(checking, tx, zone, body, `/${index}`) });
    }
    return changed;
  });
}

/** Replaces filters, all or none: what is left out gets its default. Errors: as `createFilters`. */
export async function replaceFilters(
  context: FilterContext,
  caller: Caller,
  zoneId: string,
  bodies: readonly (FilterFields & { readonly id: string })[],
): Promise<Filter[]> {
  return changeFilters(context, caller, zoneId, "filter_edit", async (checking, tx, zone) => {
    const changed: Changed[] = [];
    for (const [index, body] of bodies.entries()) {
      const before = await findFilter(tx, zoneId, body.id);
      const after = { ...before, ...toColumns(checking, zone, body, `/${index}`) };
      await orDuplicate(() => updateFilter(tx, after), `/${index}`);
      changed.push({ before, after });
    }
    return changed;
  });
}

/** Errors: as `createFilters`, and 404 code 10102. */
export async function replaceFilter(
  context: FilterContext,
  caller: Caller,
  zoneId: string,
  id: string,
  body: FilterFields,
): Promise<Filter> {
  const [filter] = await changeFilters(context, caller, zoneId, "filter_edit", async (checking, tx, zone) => {
    const before = await findFilter(tx, zoneId, id);
    const after = { ...before, ...toColumns(checking, zone, body, "") };
    await orDuplicate(() => updateFilter(tx, after), "");
    return [{ before, after }];
  });
  return filter as Filter;
}

/** Deletes filters, all or none. A rule of such a filter stays, and takes no request any more. Errors: 404. */
export async function deleteFilters(
  context: FilterContext,
  caller: Caller,
  zoneId: string,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  await changeFilters(context, caller, zoneId, "filter_delete", async (_, tx) => {
    const changed: Changed[] = [];
    for (const id of ids) {
      changed.push({ before: await findFilter(tx, zoneId, id) });
      await deleteFilterRow(tx, id);
    }
    return changed;
  });
  return ids.map((id) => ({ id }));
}

/** Makes a filter in a zone that the transaction holds. Errors: as `createFilters`. */
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

export async function findFilter(db: Db, zoneId: string, id: string): Promise<FilterRow> {
  const row = await selectFilter(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 10102, "filter not found");
  return row;
}

export function toFilter({ id, expression, paused, description, ref }: ShownFilter): Filter {
  return { id, expression, paused: paused === 1, description, ...(ref !== null && { ref }) };
}

interface Changed {
  readonly before?: FilterRow;
  readonly after?: FilterRow;
}

async function changeFilters(
  context: FilterContext,
  caller: Caller,
  zoneId: string,
  action: AuditAction,
  change: (checking: CheckingContext, tx: Db, zone: ZoneRow) => Promise<readonly Changed[]>,
): Promise<Filter[]> {
  const checking = await withCheck(context);
  return context.db.transaction(async (tx) => {
    const zone = await holdZone(tx, zoneId);
    const changed = await change(checking, tx, zone);
    const changes = changed.map(({ before, after }): Change => ({
      action,
      owner: { zone },
      resource: { type: "filter", id: (after ?? before)?.id ?? "" },
      ...(before && { before: toFilter(before) }),
      ...(after && { after: toFilter(after) }),
    }));
    await recordChanges(context, tx, caller, changes);
    return changed.flatMap(({ after }) => (after === undefined ? [] : [toFilter(after)]));
  });
}

/**
 * Refuses an expression that no filter of the zone can have; nothing is stored (wire contract 9.2).
 * Errors: 400 code 10103, 404 code 1001.
 */
export async function validateExpression(
  context: FilterContext,
  zoneId: string,
  { expression }: Pick<FilterFields, "expression">,
): Promise<void> {
  const zone = await findZone(context.db.read, zoneId);
  refuseMistake(await withCheck(context), zone, expression, "");
}

function toColumns(
  checking: CheckingContext,
  zone: ZoneRow,
  { expression, paused, description, ref }: FilterFields,
  pointer: string,
): Omit<FilterRow, "id" | "zone_id"> {
  refuseMistake(checking, zone, expression, pointer);
  const expression_hash = hashOf(expression);
  return {
    expression,
    expression_hash,
    paused: toFlag(paused ?? false),
    description: description ?? "",
    ref: ref ?? null,
  };
}

function refuseMistake(
  { checkFilter }: CheckingContext,
  { plan }: ZoneRow,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > expressionBytesMax) {
    throw new AppError("invalid", 10103, `The expression exceeds ${expressionBytesMax} bytes`, at);
  }
  const mistake = checkFilter(expression, plan);
  if (mistake !== undefined) throw new AppError("invalid", 10103, mistake, at);
}

function hashOf(expression: string): string {
  return hash("sha256", expression);
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
