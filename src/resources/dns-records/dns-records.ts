import { dnsError } from "../../core/dns/content/dns-error.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, notFound } from "../../core/error.ts";
import { JsonText } from "../../core/json.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { RecordBefore } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { createPause } from "../../operation/pause.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { dnsRecordsChanged, plans, type PlanName } from "../zones/zones.ts";
import {
  contentLength,
  findConflict,
  identicalRecord,
  type TypesAtName,
} from "../../core/dns/content/name-conflicts.ts";
import {
  identityOf,
  parseRecord,
  patchedBody,
  patchRules,
  recordRules,
  refuseTransferred,
  toRecord,
  toRows,
  toStoredRecord,
  type DnsContext,
  type RecordFields,
} from "./record.ts";
import type { BatchBody, DnsRecord, DnsRecordBody } from "./schema.ts";
import {
  deleteRecord,
  insertRecord,
  selectIdByIdentity,
  selectProxiedNames,
  selectProxiedRecordsAfter,
  selectRecord,
  selectTypesAtName,
  updateRecord,
} from "./store.ts";

export { addRecords, type BulkResult } from "./bulk.ts";
export {
  identityOf,
  parseRecord,
  recordRules,
  refuseTransferred,
  toRecord,
  toRows,
  toStoredRecord,
  type DnsContext,
  type RecordFields,
} from "./record.ts";
export { DnsRecord, DnsRecordBody, ImportResult } from "./schema.ts";
export { selectIdentities, type StoredRecord } from "./store.ts";

/**
 * Changes of the records of one zone. Errors of `create`: 400 with a code of
 * docs/contract/errors.md#dns-records for a record that is not valid or cannot stand beside the others of its
 * name; of `replace`, `edit` and `delete` also 404 code 81044.
 */
export interface RecordChanges {
  /** The id of an identical record; undefined if there is none. */
  find(body: DnsRecordBody): Promise<string | undefined>;
  create(body: DnsRecordBody): Promise<JsonText>;
  /** Replaces a record; fields left out get their defaults. */
  replace(id: string, body: DnsRecordBody): Promise<JsonText>;
  /** Changes a record; fields left out stay. */
  edit(id: string, body: DnsRecordBody): Promise<JsonText>;
  /** Answers the record that is gone. */
  delete(id: string): Promise<JsonText>;
}

/** Runs `change` on the records of a zone, and updates the zone's record count. */
export async function changeRecords<T>(
  { tx, zone, context, now, audit }: ZoneChangeWork<DnsContext>,
  change: (changes: RecordChanges) => Promise<T>,
): Promise<T> {
  refuseTransferred(zone);
  const recordsByName = createRecordsByName(tx, zone);
  const rules = recordRules(zone, context);
  let countChange = 0;
  const names = new Set<string>();
  const before = new Map<string, RecordBefore | null>();
  const note = (id: string, earlier: DnsRecord | undefined): void => {
    if (earlier !== undefined) names.add(earlier.name);
    if (!before.has(id)) before.set(id, earlier === undefined ? null : toStoredRecord(earlier));
  };

  const put = async (fields: RecordFields, earlier?: DnsRecord): Promise<JsonText> => {
    const id = earlier?.id ?? context.newId();
    const identity = identityOf(fields);
    const { types, sameId } = await recordsByName.othersAt(fields.name, identity, earlier);
    if (sameId !== undefined && sameId !== id) throw identicalRecord();
    const { name, type, rdata } = fields;
    const keepsPlace = earlier?.name === name && earlier.type === type;
    const conflict = findConflict(
      {
        type,
        isAtApex: name === zone.name,
        content: rdata.content,
        contentBefore: keepsPlace ? earlier.content : undefined,
      },
      types,
    );
    if (conflict !== undefined) throw conflict;

    const origin = { id, zone, now: toTimestamp(now), ...(earlier && { earlier }) };
    const stored = toRows(toRecord(fields, origin), identity);
    await (earlier === undefined ? insertRecord : updateRecord)(tx, stored);
    recordsByName.change(earlier, { name, type, content: rdata.content });
    names.add(name);
    note(id, earlier);
    const record = new JsonText(stored.row.record);
    const action = earlier === undefined ? "rec_add" : "rec_set";
    audit({ action, id, before: earlier, after: record });
    return record;
  };

  const result = await change({
    find: async (body) => selectIdByIdentity(tx, zone.id, identityOf(parseRecord(body, rules))),
    create: async (body) => {
      countChange += 1;
      return put(parseRecord(body, rules));
    },
    replace: async (id, body) => {
      const earlier = parsed(await findRecord(tx, zone.id, id));
      return put(parseRecord(body, rules), earlier);
    },
    edit: async (id, body) => {
      const earlier = parsed(await findRecord(tx, zone.id, id));
      return put(parseRecord(patchedBody(earlier, body), patchRules(rules, earlier, body)), earlier);
    },
    delete: async (id) => {
      const record = await findRecord(tx, zone.id, id);
      const earlier = parsed(record);
      await deleteRecord(tx, id);
      recordsByName.change(earlier, undefined);
      note(id, earlier);
      countChange -= 1;
      audit({ action: "rec_del", id, before: record });
      return record;
    },
  });
  await dnsRecordsChanged(tx, zone, { countChange, names, before, now });
  return result;
}

/**
 * Deletes, patches, puts and posts in that order.
 * Errors: those of the first operation that fails, its pointer into the batch; 400 code 9330 for more
 * operations than the plan allows.
 */
export async function applyBatch(
  changes: RecordChanges,
  plan: PlanName,
  { deletes, patches, puts, posts }: BatchBody,
): Promise<JsonText> {
  const operations = [deletes, patches, puts, posts].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  const { batchMax } = plans[plan];
  if (operations > batchMax) {
    throw dnsError(
      errorCodes.dnsRecords.batchTooLarge,
      `A batch has ${operations} operations, exceeding the quota of ${batchMax}.`,
      "",
    );
  }
  const done = {
    deletes: await each("deletes", deletes, ({ id }) => changes.delete(id)),
    patches: await each("patches", patches, ({ id, ...patch }) => changes.edit(id, patch)),
    puts: await each("puts", puts, ({ id, ...put }) => changes.replace(id, put)),
    posts: await each("posts", posts, (post) => changes.create(post)),
  };
  const lists = Object.entries(done).map(
    ([name, records]) => `"${name}":[${records.map(({ text }) => text).join(",")}]`,
  );
  return new JsonText(`{${lists.join(",")}}`);
}

/** Applies operations one after the other. Errors: that of the first that fails, its pointer below `name`. */
export async function each<Operation>(
  name: string,
  operations: readonly Operation[] | null | undefined,
  apply: (operation: Operation) => Promise<JsonText>,
): Promise<JsonText[]> {
  const records: JsonText[] = [];
  const pause = createPause();
  for (const [index, operation] of (operations ?? []).entries()) {
    try {
      records.push(await apply(operation));
    } catch (error) {
      throw error instanceof AppError ? withPointerPrefix(error, `/${name}/${index}`) : error;
    }
    await pause();
  }
  return records;
}

function withPointerPrefix(error: AppError, prefix: string): AppError {
  const { kind, code, message, chain, pointer = "" } = error;
  const others = error.others.map((other) => withPointerPrefix(other, prefix));
  return new AppError(kind, code, message, { chain, others, pointer: prefix + pointer, cause: error });
}

/** The record as the API answers it. Errors: 404 code 81044. */
export async function findRecord(db: Db, zoneId: string, id: string): Promise<JsonText> {
  const text = await selectRecord(db, zoneId, id);
  if (text === undefined) throw notFound(errorCodes.dnsRecords.unknown, "Record does not exist.");
  return new JsonText(text);
}

/** The names with proxied records among these. */
export async function findProxiedNames(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await selectProxiedNames(db, zoneId, names));
}

const proxiedAtOnce = 200;

/** The names of all proxied records of a zone, in portions; a name with several records may be repeated. */
export async function* streamProxiedNames(
  db: Db,
  zoneId: string,
): AsyncGenerator<readonly string[], void, undefined> {
  let id = "";
  for (;;) {
    const rows = await selectProxiedRecordsAfter(db, zoneId, id, proxiedAtOnce);
    yield rows.map(({ name }) => name);
    const last = rows.at(-1);
    if (last === undefined || rows.length < proxiedAtOnce) return;
    id = last.id;
  }
}

function parsed({ text }: JsonText): DnsRecord {
  return JSON.parse(text) as DnsRecord;
}

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
interface RecordsByName {
  /** The records at a name except `own`, which is the one that is to be replaced. */
  othersAt(name: string, identity: string, own: NamedRecord | undefined): Promise<Others>;
  /** To be called for every change. */
  change(before: NamedRecord | undefined, after: NamedRecord | undefined): void;
}

/** Reads the types at a name once, because a batch may change many records of one name. */
function createRecordsByName(tx: Db, zone: ZoneRow): RecordsByName {
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
