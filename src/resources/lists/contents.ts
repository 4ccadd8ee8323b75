import { FairMap } from "../../core/fair-map.ts";
import { createContents, type ListContents } from "../../core/lists/contents.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow } from "../../storage/schema/lists.ts";
import { selectItems, selectItemsVersion } from "./store.ts";
import { selectReferredLists, type ReferredList, type Referrers } from "./reference-store.ts";

/** Items of all lists that stay at hand; the accounts share them. */
const itemsKeptMax = 1_000_000;

interface Kept {
  readonly version: number;
  readonly contents: ListContents;
}

// A store belongs to the process, and what was read of it with it.
const keptOfStores = new WeakMap<Db, FairMap<string, Kept>>();

/**
 * The contents of the lists that these rulesets of an account, and the filters of a zone, name; by name. A name without a
 * list is left out.
 */
export async function readNamedLists(
  db: Db,
  referrers: Referrers,
): Promise<ReadonlyMap<string, ListContents>> {
  const contents = new Map<string, ListContents>();
  for (const list of await selectReferredLists(db, referrers))
    contents.set(list.name, await contentsOf(db, referrers.accountId, list));
  return contents;
}

/** Reads every list of the store anew: one may have another content at the same version. */
export function forgetContents(db: Db): void {
  keptOfStores.delete(db);
}

async function contentsOf(db: Db, accountId: string, list: ReferredList): Promise<ListContents> {
  const kept = keptOfStores.get(db) ?? new FairMap<string, Kept>({ weightMax: itemsKeptMax });
  keptOfStores.set(db, kept);
  const known = kept.get(list.id);
  const isCurrent = known?.version === list.items_version;
  const contents = isCurrent ? known.contents : await readListContents(db, list);
  // What changed while it was read is read again the next time.
  if (!isCurrent) {
    kept.delete(list.id);
    if ((await selectItemsVersion(db, list.id)) === list.items_version)
      kept.set(list.id, { version: list.items_version, contents }, [accountId], list.item_count);
  }
  return contents;
}

const readAtOnce = 500;

/** Reads every item. */
export async function readListContents(
  db: Db,
  { id, kind }: Pick<ListRow, "id" | "kind">,
): Promise<ListContents> {
  const contents = createContents(kind);
  const pause = createPause();
  let after: string | undefined;
  for (;;) {
    const rows = await selectItems(db, id, after === undefined ? {} : { after }, readAtOnce);
    for (const { value } of rows) contents.add(fromJson(value));
    after = rows.at(-1)?.item_key;
    if (rows.length < readAtOnce) return contents;
    await pause();
  }
}
