import { hash } from "node:crypto";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest, notFound } from "../../core/error.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import { listsNamedIn } from "../../core/expression/named-lists.ts";
import { listIssue, type NamedLists } from "../../core/lists/named-lists.ts";
import { tellNeutralFields } from "../../operation/expression-checks.ts";
import { insertRow, updateRow, findRow } from "../../storage/rows.ts";
import { toFlag } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { FilterRow } from "../../storage/schema/rules.ts";
import { findListKinds, saveListReferences } from "../lists/lists.ts";
import type { Changed } from "./change-each.ts";
import { filterPhase, refuseInvalidExpression, type CheckingWork } from "./expression-check.ts";
import type { Filter, FilterFields } from "./schema.ts";
import { type ShownFilter } from "./store.ts";

/** Errors: 400 code 10102 for an expression that the zone has already, 400 code 10103 for an invalid one. */
export async function addFilter(work: CheckingWork, body: FilterFields, pointer: string): Promise<FilterRow> {
  const { tx, zone, context } = work;
  const row = { id: context.newId(), zone_id: zone.id, ...toColumns(work, body, pointer) };
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
  const after = { ...before, ...toColumns(work, body, pointer) };
  await refuseUnknownLists(work, after.expression, pointer);
  tellNeutralFields(work.addMessage, [after.expression]);
  await updateRow(tx, "filters", id, after, () => duplicate(pointer));
  await saveListsOf(work, after);
  return { before, after };
}

type ZoneWork = Pick<CheckingWork, "tx" | "zone">;

/** Errors: 400 code 10103 for an expression that names a list which the account does not have, or of another kind. */
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

function toColumns(
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
