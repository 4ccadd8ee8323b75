import { Type } from "@sinclair/typebox";

import {
  accountRead,
  zoneList,
  zoneRead,
  zoneText,
  zoneUpload,
  zoneWrite,
  type ZoneRead,
  type ZoneWrite,
} from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { IdOnly } from "../../operation/schema.ts";
import type { ZoneContext } from "../zones/zones.ts";
import { applyBatch, changeRecords, findRecord } from "./dns-records.ts";
import { printZone } from "./export.ts";
import { parseRecordFilter } from "./filter.ts";
import { importDnsRecordsTask, zoneFileBytesMax } from "./import.ts";
import { countMatching, selectPage } from "./list-store.ts";
import type { DnsContext } from "./record.ts";
import {
  BatchBody,
  BatchResult,
  DnsRecord,
  DnsRecordBody,
  ImportResult,
  ListDnsRecordsQuery,
  ZoneFileBody,
  ZoneFileText,
} from "./schema.ts";

const read = "DNS Read";
const write = "DNS Write";

/** Errors: 400 code 1003 for too many tags. */
export const listDnsRecords = zoneList({
  name: "listDnsRecords",
  summary: "List, search and sort the DNS records of a zone",
  path: "/zones/{zone_id}/dns_records",
  permission: read,
  query: ListDnsRecordsQuery,
  result: DnsRecord,
  list: { orderings: ["type", "name", "content", "ttl", "proxied"], perPageMax: 5_000 },
  run: async ({ db, zone }, { query, page }) => {
    const filter = parseRecordFilter(query);
    const counted = filter === undefined ? zone.dns_record_count : await countMatching(db, zone.id, filter);
    const records = await selectPage(db, zone.id, filter, page, counted);
    // Others may have written since it was counted: a list that fits on one page is as long as that page.
    const isWhole = page.page === 1 && records.length < page.perPage;
    return { items: records, totalCount: isWhole ? records.length : counted };
  },
});

/** Errors: as `RecordChanges.create`. */
export const createDnsRecord = zoneWrite({
  name: "createDnsRecord",
  summary: "Create a DNS record",
  method: "POST",
  path: "/zones/{zone_id}/dns_records",
  permission: write,
  body: DnsRecordBody,
  result: DnsRecord,
  run: (work: ZoneWrite<DnsContext>, { body }) => changeRecords(work, ({ create }) => create(body)),
});

/** Errors: as `applyBatch`. */
export const batchDnsRecords = zoneWrite({
  name: "batchDnsRecords",
  summary: "Delete, change and create DNS records, all or none of them",
  method: "POST",
  path: "/zones/{zone_id}/dns_records/batch",
  permission: write,
  body: BatchBody,
  result: BatchResult,
  run: (work: ZoneWrite<DnsContext>, { body }) =>
    changeRecords(work, (changes) => applyBatch(changes, work.zone.plan, body)),
});

/** `importDnsRecords` reads it back. */
export const exportDnsRecords = zoneText({
  name: "exportDnsRecords",
  summary: "Export the DNS records of a zone as a BIND zone file",
  path: "/zones/{zone_id}/dns_records/export",
  permission: read,
  contentType: "text/plain; charset=utf-8",
  result: ZoneFileText,
  run: async (work: ZoneRead<ZoneContext & TaskRunner<Context>>) => printZone(work),
});

/** Errors: as `importDnsRecordsTask`. */
export const importDnsRecords = zoneUpload({
  name: "importDnsRecords",
  summary: "Add the records of a BIND zone file; messages name those that are not added",
  path: "/zones/{zone_id}/dns_records/import",
  permission: write,
  body: ZoneFileBody,
  result: ImportResult,
  fileBytesMax: zoneFileBytesMax,
  run: async (
    { zone, caller, context, addMessage }: ZoneRead<DnsContext & TaskRunner<DnsContext>>,
    { form },
  ) => {
    const input = { accountId: zone.account_id, zoneId: zone.id, form };
    const { result, messages } = await context.runTask(importDnsRecordsTask, caller, input);
    for (const message of messages) addMessage(message);
    return result;
  },
});

/** Errors: 404 code 81044. */
export const getDnsRecord = zoneRead({
  name: "getDnsRecord",
  summary: "Get a DNS record",
  path: "/zones/{zone_id}/dns_records/{dns_record_id}",
  permission: read,
  result: DnsRecord,
  run: ({ db, zone }, { params }) => findRecord(db, zone.id, params.dns_record_id),
});

/** Errors: as `RecordChanges.replace`. */
export const replaceDnsRecord = zoneWrite({
  name: "replaceDnsRecord",
  summary: "Replace a DNS record; fields left out get their defaults",
  method: "PUT",
  path: "/zones/{zone_id}/dns_records/{dns_record_id}",
  permission: write,
  body: DnsRecordBody,
  result: DnsRecord,
  run: (work: ZoneWrite<DnsContext>, { params, body }) =>
    changeRecords(work, ({ replace }) => replace(params.dns_record_id, body)),
});

/** Errors: as `RecordChanges.edit`. */
export const editDnsRecord = zoneWrite({
  name: "editDnsRecord",
  summary: "Change a DNS record; fields left out stay",
  method: "PATCH",
  path: "/zones/{zone_id}/dns_records/{dns_record_id}",
  permission: write,
  body: DnsRecordBody,
  result: DnsRecord,
  run: (work: ZoneWrite<DnsContext>, { params, body }) =>
    changeRecords(work, ({ edit }) => edit(params.dns_record_id, body)),
});

/** Errors: 404 code 81044. */
export const deleteDnsRecord = zoneWrite({
  name: "deleteDnsRecord",
  summary: "Delete a DNS record",
  method: "DELETE",
  path: "/zones/{zone_id}/dns_records/{dns_record_id}",
  permission: write,
  result: IdOnly,
  run: async (work: ZoneWrite<DnsContext>, { params: { dns_record_id: id } }) => {
    await changeRecords(work, (changes) => changes.delete(id));
    return { id };
  },
});

const RecordUsage = Type.Object({
  record_quota: Type.Null({ description: "There is no quota." }),
  record_usage: Type.Integer({ minimum: 0, description: "DNS records that there are now." }),
});

const usageOf = (records: number) => ({ record_quota: null, record_usage: records });

export const getZoneRecordUsage = zoneRead({
  name: "getZoneRecordUsage",
  summary: "Count the DNS records of a zone",
  path: "/zones/{zone_id}/dns_records/usage",
  permission: "DNS Read",
  result: RecordUsage,
  run: async ({ zone }) => usageOf(zone.dns_record_count),
});

export const getAccountRecordUsage = accountRead({
  name: "getAccountRecordUsage",
  summary: "Count the DNS records of all zones of an account",
  path: "/accounts/{account_id}/dns_records/usage",
  permission: ["Account DNS Settings Read", "Account DNS Settings Write"],
  result: RecordUsage,
  run: async ({ db, accountId }) => {
    const { records } = await db
      .selectFrom("zones")
      .where("account_id", "=", accountId)
      .select(({ fn }) => fn.sum("dns_record_count").as("records"))
      .executeTakeFirstOrThrow();
    // Null without zones; PostgreSQL answers a sum as text.
    return usageOf(Number(records ?? 0));
  },
});
