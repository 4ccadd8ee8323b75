import type { AuditAction } from "../../operation/audit-actions.ts";
import { createPause } from "../../operation/pause.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";

/** The change of one filter or rule. */
export interface Changed<Row> {
  readonly before?: Row;
  readonly after?: Row;
}

/** How the audit log and the API show a changed row. */
interface Naming<Row, Shown> {
  readonly action: AuditAction;
  readonly show: (row: Row) => Shown;
}

/** Changes each of `items` and answers the results. `change` gets the pointer to its item. Errors: those of `change`. */
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
