import type { AuditAction } from "../../operation/audit-actions.ts";
import { createPause } from "../../operation/pause.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";

/** What became of one filter or rule. */
export interface Changed<Row> {
  readonly before?: Row;
  readonly after?: Row;
}

/** What the audit log calls a change, and how the API answers what was changed. */
interface Naming<Row, Shown> {
  readonly action: AuditAction;
  readonly type: "filter" | "firewall_rule";
  readonly show: (row: Row) => Shown;
}

/**
 * Makes one change for each of `items`, and answers what there is afterwards. `change` gets the pointer to its item in
 * the body. Errors: those of `change`.
 */
export async function changeEach<Row extends { readonly id: string }, Shown, Item>(
  { audit }: Pick<ChangeWork, "audit">,
  { action, type, show }: Naming<Row, Shown>,
  items: readonly Item[],
  change: (item: Item, pointer: string) => Promise<Changed<Row>>,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  const pause = createPause();
  for (const [index, item] of items.entries()) {
    const { before, after } = await change(item, `/${index}`);
    audit({
      action,
      resource: { type, id: (after ?? before)?.id ?? "" },
      ...(before && { before: show(before) }),
      ...(after && { after: show(after) }),
    });
    if (after) shown.push(show(after));
    await pause();
  }
  return shown;
}
