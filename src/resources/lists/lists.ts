import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { planOrder, type Plan } from "../../core/expression/phases.ts";
import type { ListKind } from "../../core/lists/kinds.ts";
import type { Context } from "../../operation/context.ts";
import { deleteRows, insertRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListReferenceRow } from "../../storage/schema/lists.ts";
import { findPlansOfAccounts, type ZoneContext } from "../zones/zones.ts";
import type { List } from "./schema.ts";
import { selectList, selectNamedLists, type ShownList } from "./store.ts";

export { indexList, readListDocument, readNamedLists } from "./contents.ts";
export { selectListsInUse } from "./store.ts";

/** The context of operations on lists. */
export interface ListContext extends Context, Pick<ZoneContext, "settings"> {
  /** Starts the waiting operations at once. */
  readonly wakeListOperations: () => void;
}

/** A list as the API answers it. */
export function toList(row: ShownList): List {
  const { id, name, description, kind, item_count, uses, created_on, modified_on } = row;
  return {
    id,
    name,
    ...(description !== null && description !== "" && { description }),
    kind,
    num_items: item_count,
    num_referencing_filters: uses,
    created_on,
    modified_on,
  };
}

/** Errors: 404 code 10001. */
export async function findList(db: Db, accountId: string, id: string): Promise<ShownList> {
  const row = await selectList(db, accountId, id);
  if (row === undefined) throw new AppError("not-found", errorCodes.lists.unknown, "could not find list");
  return row;
}

/**
 * The plan that bounds the lists of an account: the largest of its zones, the default one where it has none.
 */
export async function planOfAccount(
  db: Db,
  { settings }: Pick<ListContext, "settings">,
  accountId: string,
): Promise<Plan> {
  const plans = await findPlansOfAccounts(db, [accountId]);
  return planOrder.findLast((plan) => plans.has(plan)) ?? settings.defaultPlan;
}

/**
 * The kinds of those lists that the account has, by name. Until the transaction ends none of them is deleted:
 * what it stores may name them.
 */
export async function findListKinds(
  tx: Db,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ListKind>> {
  if (names.length === 0) return new Map();
  const rows = await selectNamedLists(tx, accountId, names);
  return new Map(rows.map(({ name, kind }) => [name, kind]));
}

export type ListReferrer = { readonly accountId: string } & (
  | { readonly rulesetId: string }
  | { readonly filterId: string }
);

/** Stores which lists a ruleset or a filter refers to from now on: a name for each of its rules that does. */
export async function saveListReferences(
  tx: Db,
  referrer: ListReferrer,
  names: readonly string[],
): Promise<void> {
  const ruleset_id = "rulesetId" in referrer ? referrer.rulesetId : null;
  const filter_id = "filterId" in referrer ? referrer.filterId : null;
  const referrer_id = ruleset_id ?? filter_id ?? "";
  const uses = new Map<string, number>();
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  const rows: ListReferenceRow[] = [...uses].map(([list_name, count]) => ({
    referrer_id,
    list_name,
    account_id: referrer.accountId,
    ruleset_id,
    filter_id,
    uses: count,
  }));
  await deleteRows(tx, "list_references", { referrer_id });
  await insertRows(tx, "list_references", rows);
}
