import type { Caller } from "../../core/caller.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { recordChanges, type Change } from "../../operation/audit.ts";
import type { ExpressionContext } from "../../operation/context.ts";
import { createPause } from "../../operation/pause.ts";
import { lockZone } from "../../operation/scope.ts";
import { withCheck, type CheckingContext } from "./expression-check.ts";

/** What became of one filter or rule. */
export interface Changed<Row> {
  readonly before?: Row;
  readonly after?: Row;
}

/** What is done to filters or rules, and how the API answers them. */
interface Work<Row, Shown> {
  readonly action: AuditAction;
  readonly type: "filter" | "firewall_rule";
  readonly show: (row: Row) => Shown;
}

/**
 * Makes one change for each of `items` in a zone, all or none, and answers what there is afterwards. `change` gets the
 * pointer to its item in the body. Errors: 404 code 1001, and those of `change`.
 */
export async function changeEach<Row extends { readonly id: string }, Shown extends object, Item>(
  context: ExpressionContext,
  caller: Caller,
  zoneId: string,
  { action, type, show }: Work<Row, Shown>,
  items: readonly Item[],
  change: (
    checking: CheckingContext,
    tx: Db,
    zone: ZoneRow,
    item: Item,
    pointer: string,
  ) => Promise<Changed<Row>>,
): Promise<Shown[]> {
  const checking = await withCheck(context, items);
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const changed: Changed<Row>[] = [];
    const pause = createPause();
    for (const [index, item] of items.entries()) {
      changed.push(await change(checking, tx, zone, item, `/${index}`));
      await pause();
    }
    const changes = changed.map(({ before, after }): Change => ({
      action,
      owner: { zone },
      resource: { type, id: (after ?? before)?.id ?? "" },
      ...(before && { before: show(before) }),
      ...(after && { after: show(after) }),
    }));
    await recordChanges(context, tx, caller, changes);
    return changed.flatMap(({ after }) => (after === undefined ? [] : [show(after)]));
  });
}
