import { errorCodes } from "../../core/error-codes.ts";
import { notFound } from "../../core/error.ts";
import { JsonText } from "../../core/json-text.ts";
import { fromJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { RecordBefore } from "../../storage/tables/dns.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { findConflict, identicalRecord } from "../../core/dns/name-conflicts.ts";
import {
  parseRecord,
  patchedBody,
  patchRules,
  recordRules,
  refuseTransferred,
  toRecord,
  type DnsContext,
  type RecordFields,
} from "./record.ts";
import { identityOf, toRows } from "./record-row.ts";
import { createRecordsByName } from "./records-by-name.ts";
import type { DnsRecord, DnsRecordBody } from "./schema.ts";
import { toStoredRecord } from "./serving.ts";
import { selectDnsChanges } from "./serving-store.ts";
import {
  deleteRecord,
  insertRecord,
  selectIdByIdentity,
  selectProxiedNames,
  selectProxiedRecordsAfter,
  selectRecord,
  updateRecord,
} from "./store.ts";

export type { DnsContext } from "./record.ts";
export {
  clearStaging,
  listStagedZones,
  showTransferred,
  stageTransferred,
  UnfitChanges,
} from "./transferred.ts";

/**
 * Changes of the records of one zone. Errors of `create`: 400 with a code of docs/contract/errors.md#dns-records for a
 * record that is not valid or cannot stand beside the others of its name; of `replace`, `edit` and `delete` also 404 code
 * 81044.
 */
export interface RecordChanges {
  /** The id of an identical record; undefined if there is none. */
  find(body: DnsRecordBody): Promise<string | undefined>;
  create(body: DnsRecordBody): Promise<JsonText>;
  /** What is left out gets its default. */
  replace(id: string, body: DnsRecordBody): Promise<JsonText>;
  /** What is left out stays. */
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
  const recordsByName = createRecordsByName(tx, zone.id);
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

/** The record as the API answers it. Errors: 404 code 81044. */
export async function findRecord(db: Db, zoneId: string, id: string): Promise<JsonText> {
  const text = await selectRecord(db, zoneId, id);
  if (text === undefined) throw notFound(errorCodes.dnsRecords.unknown, "Record does not exist.");
  return new JsonText(text);
}

/** The names at which records changed after one version and up to another; undefined where that is not known any more. */
export async function findChangedNames(
  db: Db,
  zoneId: string,
  after: number,
  upTo: number,
): Promise<ReadonlySet<string> | undefined> {
  const changes = await selectDnsChanges(db, { zoneId, after, upTo });
  if (changes.length !== upTo - after) return undefined;
  const names = new Set<string>();
  for (const { names: listed } of changes) {
    if (listed === null) return undefined;
    for (const name of fromJson(listed)) names.add(name);
  }
  return names;
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
