import type { Db } from "../../storage/tables.ts";
import type { DnsRecord } from "./schema.ts";
import { selectIdByIdentity, selectTypesAtName } from "./store.ts";

type NamedRecord = Pick<DnsRecord, "name" | "type">;

/** The other records of a name. */
interface Others {
  readonly types: ReadonlySet<string>;
  /** The id of an identical record. */
  readonly sameId: string | undefined;
}

/** The records of a zone by name, while a transaction that has locked the zone changes them. */
export interface RecordsByName {
  /** The records at a name except `own`, which is the one that is to be replaced. */
  othersAt(name: string, identity: string, own: NamedRecord | undefined): Promise<Others>;
  /** To be called for every change. */
  change(before: NamedRecord | undefined, after: NamedRecord | undefined): void;
}

/** Reads the types at a name once, because a batch may change many records of one name. */
export function createRecordsByName(tx: Db, zoneId: string): RecordsByName {
  const countsByName = new Map<string, Map<string, number>>();
  const add = (record: NamedRecord | undefined, more: number): void => {
    const counts = record && countsByName.get(record.name);
    if (counts) counts.set(record.type, (counts.get(record.type) ?? 0) + more);
  };
  return {
    async othersAt(name, identity, own) {
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
    change(before, after) {
      add(before, -1);
      add(after, 1);
    },
  };
}

function typesOf(
  name: string,
  counts: ReadonlyMap<string, number>,
  own: NamedRecord | undefined,
): ReadonlySet<string> {
  const others = [...counts].filter(
    ([type, count]) => count > (own?.name === name && own.type === type ? 1 : 0),
  );
  return new Set(others.map(([type]) => type));
}
