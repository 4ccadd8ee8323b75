/**
 * The first `limit` items, of each owner in turn: an owner with many takes no place of another's. The items
 * of each owner keep their order.
 */
export function fairShare<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  limit: number,
): Item[] {
  let owners = [...Map.groupBy(items, ownerOf).values()];
  const taken: Item[] = [];
  for (let turn = 0; owners.length > 0; turn += 1) {
    for (const [item] of owners.map((own) => own.slice(turn, turn + 1))) {
      if (item === undefined) continue;
      if (taken.length === limit) return taken;
      taken.push(item);
    }
    owners = owners.filter((own) => own.length > turn + 1);
  }
  return taken;
}
