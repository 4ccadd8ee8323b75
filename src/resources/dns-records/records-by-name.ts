import { contentLength, type TypesAtName } from "../../core/dns/content/name-conflicts.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { DnsRecord } from "./schema.ts";
import { selectIdByIdentity, selectTypesAtName } from "./store.ts";

type NamedRecord = Pick<DnsRecord, "name" | "type" | "content">;

/** The other records of a name. */
interface Others {
  readonly types: TypesAtName;
  /** The id of an identical record. */
  readonly sameId: string | undefined;
}

interface Tally {
  count: number;
  /** The sum of their lengths, as `contentLength` counts it. */
  length: number;
}

/** The records of a zone by name, while a transaction that has locked the zone changes them. */
export interface RecordsByName {
  /** The records at a name except `own`, which is the one that is to be replaced. */
  othersAt(name: string, identity: string, own: NamedRecord | undefined): Promise<Others>;
  /** To be called for every change. */
  change(before: NamedRecord | undefined, after: NamedRecord | undefined): void;
}

/** Reads the types at a name once, because a batch may change many records of one name. */
export function createRecordsByName(tx: Db, zone: ZoneRow): RecordsByName {
  const talliesByName = new Map<string, Map<string, Tally>>();
  const add = (record: NamedRecord | undefined, more: 1 | -1): void => {
    const tallies = record && talliesByName.get(record.name);
    if (!tallies) return;
    const { count, length } = tallies.get(record.type) ?? { count: 0, length: 0 };
    const lengthAdded = more * contentLength(record.content);
    tallies.set(record.type, { count: count + more, length: length + lengthAdded });
  };
  return {
    async othersAt(name, identity, own) {
      const known = talliesByName.get(name);
      if (known !== undefined) {
        const sameId = await selectIdByIdentity(tx, zone.id, identity);
        return { types: typesOf(name, known, own), sameId };
      }
      const rows = await selectTypesAtName(tx, zone, name, identity);
      const tallies = new Map(
        rows.map(({ type, count, length }) => [type, { count: Number(count), length: Number(length) }]),
      );
      talliesByName.set(name, tallies);
      const sameId = rows.find(({ same_id }) => same_id !== null)?.same_id ?? undefined;
      return { types: typesOf(name, tallies, own), sameId };
    },
    change(before, after) {
      add(before, -1);
      add(after, 1);
    },
  };
}

function typesOf(
  name: string,
  tallies: ReadonlyMap<string, Tally>,
  own: NamedRecord | undefined,
): TypesAtName {
  const others = new Map<string, number>();
  for (const [type, { count, length }] of tallies) {
    const isOwn = own?.name === name && own.type === type;
    if (count > (isOwn ? 1 : 0)) others.set(type, length - (isOwn ? contentLength(own.content) : 0));
  }
  return others;
}
