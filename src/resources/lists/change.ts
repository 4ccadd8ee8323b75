import type { ListChange } from "../../core/lists/change.ts";
import { exceededByItems } from "../../core/lists/limits.ts";
import type { ListedItem } from "../../core/lists/items.ts";
import { createPause } from "../../operation/pause.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow } from "../../storage/schema/lists.ts";
import type { Context } from "../../operation/context.ts";
import { updateRow } from "../../storage/rows.ts";
import { countKeys, deleteItems, deleteSomeItems, itemsAtOnce, upsertItems } from "./item-store.ts";
import { storedKey, toRow } from "./items.ts";
import { selectListCounts } from "./store.ts";

/** What a change did to the items of a list, for the audit log; or why it did nothing. */
export type Changed =
  | { readonly added: number; readonly replaced: number; readonly removed: number }
  | { readonly error: string };

/** Changes the items of a list; part of the caller's transaction, which has locked the account. */
export async function changeItems(
  { newId, now }: Pick<Context, "newId"> & { readonly now: Date },
  tx: Db,
  list: ListRow,
  change: ListChange,
): Promise<Changed> {
  const pause = createPause();
  if (change.kind === "remove") {
    for (const ids of portionsOf(change.ids)) {
      await deleteItems(tx, list.id, ids);
      await pause();
    }
    return saved({ added: 0, replaced: 0, removed: change.ids.length });
  }
  const { items, plan, kind } = change;
  let known = 0;
  if (kind === "append") {
    for (const some of portionsOf(items)) {
      known += await countKeys(tx, list.id, some.map(storedKey));
      await pause();
    }
  }
  const removed = kind === "replace" ? list.item_count : 0;
  const added = items.length - known;
  const exceeded = exceededByItems(
    plan,
    list.kind,
    await selectListCounts(tx, list.account_id),
    added - removed,
  );
  if (exceeded !== undefined) {
    const kinds = exceeded.kinds.join(", ");
    return { error: `the account may have at most ${exceeded.itemsMax} items in its lists of kind ${kinds}` };
  }
  if (kind === "replace") {
    while (await deleteSomeItems(tx, list.id, itemsAtOnce)) await pause();
  }
  for (const some of portionsOf(items)) {
    await upsertItems(
      tx,
      some.map((item: ListedItem) => toRow(item, { id: newId(), listId: list.id, now })),
    );
    await pause();
  }
  return saved({ added, replaced: known, removed });

  async function saved(counts: { added: number; replaced: number; removed: number }): Promise<Changed> {
    await updateRow(tx, "lists", list.id, {
      item_count: list.item_count + counts.added - counts.removed,
      items_version: list.items_version + 1,
      modified_on: toTimestamp(now),
    });
    return counts;
  }
}

function* portionsOf<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < all.length; from += itemsAtOnce) yield all.slice(from, from + itemsAtOnce);
}
