import type { Db } from "../../storage/tables.ts";
import type { DnsRecord } from "./schema.ts";
import { selectIdByIdentity, selectTypesAtName } from "./store.ts";

type Placed = Pick<DnsRecord, "name" | "type">;

/** What stands beside a record that is to be stored. */
interface Beside {
  readonly types: ReadonlySet<string>;
  /** The id of the record that is the same one. */
  readonly sameId: string | undefined;
}

/** The records of a zone that a transaction has locked, as far as they can stand in the way of others. */
export interface Neighbours {
  /** `own` is the record that takes the place: it is not beside itself. */
  beside(name: string, identity: string, own: Placed | undefined): Promise<Beside>;
  /** Has to be told of every change. */
  note(before: Placed | undefined, after: Placed | undefined): void;
}

/** Counts the records at a name once: a batch may be for one name, which may have any number of them. */
export function createNeighbours(tx: Db, zoneId: string): Neighbours {
  const countsByName = new Map<string, Map<string, number>>();
  const add = (placed: Placed | undefined, more: number): void => {
    const counts = placed && countsByName.get(placed.name);
    if (counts) counts.set(placed.type, (counts.get(placed.type) ?? 0) + more);
  };
  return {
    async beside(name, identity, own) {
      const known = countsByName.get(name);
      if (known !== undefined) {
        const sameId = await selectIdByIdentity(tx, zoneId, identity);
        return { types: typesOf(name, known, own), sameId };
      }
      const rows = await selectTypesAtName(tx, { zoneId, name, identity });
      const counts = new Map(rows.map(({ type, count }) => [type, Number(count)]));
      countsByName.set(name, counts);
      const sameId = rows.find(({ same_id }) => same_id !== null)?.same_id ?? undefined;
      return { types: typesOf(name, counts, own), sameId };
    },
    note(before, after) {
      add(before, -1);
      add(after, 1);
    },
  };
}

function typesOf(
  name: string,
  counts: ReadonlyMap<string, number>,
  own: Placed | undefined,
): ReadonlySet<string> {
  const others = [...counts].filter(
    ([type, count]) => count > (own?.name === name && own.type === type ? 1 : 0),
  );
  return new Set(others.map(([type]) => type));
}
