import { FairMap } from "../../core/fair-map.ts";
import { createContents, type ListContents } from "../../core/lists/contents.ts";
import type { ListItemValue } from "../../core/lists/items.ts";
import type { AccountDocument, ListDocument, ListReference } from "../../core/documents/zone-document.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { selectItems, selectItemsVersion } from "./store.ts";

/** Items of all lists that stay at hand; the accounts share them. */
const itemsKeptMax = 1_000_000;

interface Kept {
  readonly version: number;
  readonly contents: ListContents;
}

// A store belongs to the process, and what was read of it with it.
const keptOfStores = new WeakMap<Db, FairMap<string, Kept>>();

/**
 * The contents of those lists of an account that have these names, by name. A name without a list is left
 * out.
 */
export async function readNamedLists(
  db: Db,
  { id, lists }: Pick<AccountDocument, "id" | "lists">,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ListContents>> {
  const contents = new Map<string, ListContents>();
  for (const list of lists) if (names.has(list.name)) contents.set(list.name, await contentsOf(db, id, list));
  return contents;
}

/** Reads every list of the store anew: one may have another content at the same version. */
export function forgetContents(db: Db): void {
  keptOfStores.delete(db);
}

async function contentsOf(db: Db, accountId: string, list: ListReference): Promise<ListContents> {
  const kept = keptOfStores.get(db) ?? new FairMap<string, Kept>({ weightMax: itemsKeptMax });
  keptOfStores.set(db, kept);
  const known = kept.get(list.id);
  if (known?.version === list.version) return known.contents;
  const contents = await indexList(await readListDocument(db, list));
  // A list that changed while it was read is read again the next time.
  kept.delete(list.id);
  if ((await selectItemsVersion(db, list.id)) === list.version)
    kept.set(list.id, { version: list.version, contents }, [accountId], list.itemCount);
  return contents;
}

const readAtOnce = 500;

/** Reads every item. */
export async function readListDocument(
  db: Db,
  { id, kind, version }: Pick<ListReference, "id" | "kind" | "version">,
): Promise<ListDocument> {
  const items: ListItemValue[] = [];
  const pause = createPause();
  let after: string | undefined;
  for (;;) {
    const rows = await selectItems(db, id, after === undefined ? {} : { after }, readAtOnce);
    for (const { value } of rows) items.push(fromJson(value));
    after = rows.at(-1)?.item_key;
    if (rows.length < readAtOnce) return { id, kind, version, items };
    await pause();
  }
}

/** Indexes the items of a list, some at a time. */
export async function indexList({
  kind,
  items,
}: Pick<ListDocument, "kind" | "items">): Promise<ListContents> {
  const contents = createContents(kind);
  const pause = createPause();
  for (const item of items) {
    contents.add(item);
    await pause();
  }
  return contents;
}
