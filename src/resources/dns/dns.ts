import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { JsonText } from "../../core/json-text.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { recordChanges, type Actor, type Change } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";
import { findConflict, identicalRecord } from "./conflicts.ts";
import { createRecordsByName, type RecordsByName } from "./records-by-name.ts";
import { parseRecordFilter } from "./filter.ts";
import { countMatching, selectPage, type RecordOrdering } from "./list-store.ts";
import { parseRecord, patchedBody, patchRules, recordRules, toRecord, type RecordFields } from "./record.ts";
import { identityOf, toRows } from "./record-row.ts";
import type { DnsRecord, DnsRecordBody, ListDnsRecordsQuery } from "./schema.ts";
import { deleteRecord, insertRecord, selectIdByIdentity, selectRecord, updateRecord } from "./store.ts";

/** Errors: 400 code 1003 for too many tags, 404 code 1001. */
export async function listDnsRecords(
  { db }: Context,
  zoneId: string,
  query: ListDnsRecordsQuery,
  page: PageRequest<RecordOrdering>,
): Promise<Page<JsonText>> {
  const zone = await findZone(db.read, zoneId);
  const filter = parseRecordFilter(query);
  const counted = filter === undefined ? zone.dns_record_count : await countMatching(db.read, zoneId, filter);
  const records = await selectPage(db.read, zoneId, filter, page, counted);
  // Others may have written since it was counted: a list that fits on one page is as long as that page.
  const isWhole = page.page === 1 && records.length < page.perPage;
  return { items: records.map(toJsonText), totalCount: isWhole ? records.length : counted };
}

/** Errors: 404 code 1001 for the zone, 404 code 81044 for the record. */
export async function getDnsRecord({ db }: Context, zoneId: string, id: string): Promise<JsonText> {
  await findZone(db.read, zoneId);
  return toJsonText((await selectRecord(db.read, zoneId, id)) ?? refuseUnknownRecord());
}

/**
 * Errors: 400 with a code of docs/contract/errors.md#dns-records for a record that is not valid or cannot stand beside
 * the others of its name, 404 code 1001.
 */
export async function createDnsRecord(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: DnsRecordBody,
): Promise<JsonText> {
  return changeZone(context, caller, zoneId, (changes) => changes.create(body));
}

/** Replaces a record: what is left out gets its default. Errors: as `createDnsRecord`, and 404 code 81044. */
export async function replaceDnsRecord(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: DnsRecordBody,
): Promise<JsonText> {
  return changeZone(context, caller, zoneId, (changes) => changes.replace(id, body));
}

/** Changes a record: what is left out stays. Errors: as `replaceDnsRecord`. */
export async function editDnsRecord(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: DnsRecordBody,
): Promise<JsonText> {
  return changeZone(context, caller, zoneId, (changes) => changes.edit(id, body));
}

/** Errors: 404 code 1001 for the zone, 404 code 81044 for the record. */
export async function deleteDnsRecord(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  await changeZone(context, caller, zoneId, (changes) => changes.delete(id));
  return { id };
}

/** Changes of the records of one zone, and what they build on, within one transaction that has locked the zone. */
export interface ZoneChanges {
  readonly zone: ZoneRow;
  /** The id of an identical record; undefined if there is none. */
  find(body: DnsRecordBody): Promise<string | undefined>;
  create(body: DnsRecordBody): Promise<JsonText>;
  replace(id: string, body: DnsRecordBody): Promise<JsonText>;
  edit(id: string, body: DnsRecordBody): Promise<JsonText>;
  /** Answers the record that is gone. */
  delete(id: string): Promise<JsonText>;
}

/** Runs `work` in one transaction: all of its changes are stored, or none. */
export async function changeZone<T>(
  context: Context,
  actor: Actor,
  zoneId: string,
  work: (changes: ZoneChanges) => Promise<T>,
): Promise<T> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const recordsByName = createRecordsByName(tx, zoneId);
    let countChange = 0;
    const logged: Change[] = [];
    const log = (action: AuditAction, id: string, values: Pick<Change, "before" | "after">): void => {
      logged.push({ action, owner: { zone }, resource: { type: "dns_record", id }, ...values });
    };
    const put = async (fields: RecordFields, earlier?: DnsRecord): Promise<JsonText> => {
      const { id, record } = await putRecord(context, tx, { zone, recordsByName }, fields, earlier);
      log(earlier === undefined ? "rec_add" : "rec_set", id, { before: earlier, after: record });
      return record;
    };
    const result = await work({
      zone,
      find: async (body) => {
        const fields = parseRecord(body, recordRules(zone));
        return selectIdByIdentity(tx, zoneId, identityOf(fields));
      },
      create: async (body) => {
        countChange += 1;
        return put(parseRecord(body, recordRules(zone)));
      },
      replace: async (id, body) => {
        const earlier = await findRecord(tx, zoneId, id);
        return put(parseRecord(body, recordRules(zone)), earlier);
      },
      edit: async (id, body) => {
        const earlier = await findRecord(tx, zoneId, id);
        return put(parseRecord(patchedBody(earlier, body), patchRules(zone, earlier, body)), earlier);
      },
      delete: async (id) => {
        const record = (await selectRecord(tx, zoneId, id)) ?? refuseUnknownRecord();
        await deleteRecord(tx, id);
        recordsByName.change(JSON.parse(record) as DnsRecord, undefined);
        countChange -= 1;
        log("rec_del", id, { before: toJsonText(record) });
        return toJsonText(record);
      },
    });
    await dnsRecordsChanged(tx, zone, countChange);
    await recordChanges(context, tx, actor, logged);
    return result;
  });
}

async function putRecord(
  { now, newId }: Context,
  tx: Db,
  { zone, recordsByName }: { readonly zone: ZoneRow; readonly recordsByName: RecordsByName },
  fields: RecordFields,
  earlier: DnsRecord | undefined,
): Promise<{ id: string; record: JsonText }> {
  const id = earlier?.id ?? newId();
  const identity = identityOf(fields);
  const { types, sameId } = await recordsByName.othersAt(fields.name, identity, earlier);
  if (sameId !== undefined && sameId !== id) throw identicalRecord();
  const conflict = findConflict({ type: fields.type, isAtApex: fields.name === zone.name }, types);
  if (conflict !== undefined) throw conflict;

  const origin = { id, zone, now: toTimestamp(now()) };
  const { row, tags } = toRows(toRecord(fields, { ...origin, ...(earlier && { earlier }) }), identity);
  await (earlier === undefined ? insertRecord(tx, row, tags) : updateRecord(tx, row, tags));
  recordsByName.change(earlier, fields);
  return { id, record: toJsonText(row.record) };
}

async function findRecord(db: Db, zoneId: string, id: string): Promise<DnsRecord> {
  const text = (await selectRecord(db, zoneId, id)) ?? refuseUnknownRecord();
  return JSON.parse(text) as DnsRecord;
}

function toJsonText(text: string): JsonText {
  return new JsonText(text);
}

function refuseUnknownRecord(): never {
  throw new AppError("not-found", 81044, "Record does not exist.");
}
