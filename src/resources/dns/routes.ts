import { onZone } from "../../core/policy/permission.ts";
import { listRoute, route, textRoute, uploadRoute, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { batchDnsRecords } from "./batch.ts";
import {
  createDnsRecord,
  deleteDnsRecord,
  editDnsRecord,
  getDnsRecord,
  listDnsRecords,
  replaceDnsRecord,
} from "./dns.ts";
import { exportDnsRecords } from "./export.ts";
import { importDnsRecordsTask, zoneFileBytesMax } from "./import.ts";
import { scanDnsRecords, type ScanContext } from "./scan.ts";
import {
  BatchBody,
  BatchResult,
  DnsRecord,
  DnsRecordBody,
  DnsRecordId,
  ImportResult,
  ListDnsRecordsQuery,
  ZoneFileBody,
  ZoneFileText,
} from "./schema.ts";

/** What a form has besides its file. */
const formBytesMax = 64 * 1024;

export function dnsRoutes(context: ScanContext & TaskRunner<Context>): Route[] {
  return [
    listRoute({
      operation: "listDnsRecords",
      summary: "List, search and sort the DNS records of a zone",
      path: "/zones/{zone_id}/dns_records",
      permission: onZone("DNS Read"),
      query: ListDnsRecordsQuery,
      result: DnsRecord,
      list: { orderings: ["type", "name", "content", "ttl", "proxied"], perPageMax: 5_000 },
      handle: ({ params, query, page }) => listDnsRecords(context, params.zone_id, query, page),
    }),
    route({
      operation: "createDnsRecord",
      summary: "Create a DNS record",
      method: "POST",
      path: "/zones/{zone_id}/dns_records",
      permission: onZone("DNS Write"),
      body: DnsRecordBody,
      result: DnsRecord,
      handle: async ({ caller, params, body }) => ({
        result: await createDnsRecord(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "batchDnsRecords",
      summary: "Delete, change and create DNS records, all or none of them",
      method: "POST",
      path: "/zones/{zone_id}/dns_records/batch",
      permission: onZone("DNS Write"),
      body: BatchBody,
      result: BatchResult,
      handle: async ({ caller, params, body }) => ({
        result: await batchDnsRecords(context, caller, params.zone_id, body),
      }),
    }),
    textRoute({
      operation: "exportDnsRecords",
      summary: "Export the DNS records of a zone as a BIND zone file",
      path: "/zones/{zone_id}/dns_records/export",
      permission: onZone("DNS Read"),
      contentType: "text/plain; charset=utf-8",
      result: ZoneFileText,
      handle: ({ caller, params }) => exportDnsRecords(context, caller, params.zone_id),
    }),
    uploadRoute({
      operation: "importDnsRecords",
      summary: "Add the records of a BIND zone file, all or none of them",
      path: "/zones/{zone_id}/dns_records/import",
      permission: onZone("DNS Write"),
      body: ZoneFileBody,
      result: ImportResult,
      uploadBytesMax: zoneFileBytesMax + formBytesMax,
      handle: async ({ caller, params, form }) => ({
        result: await context.runTask(importDnsRecordsTask, caller, { zoneId: params.zone_id, form }),
      }),
    }),
    route({
      operation: "scanDnsRecords",
      summary: "Look up common names of the domain and add their records",
      method: "POST",
      path: "/zones/{zone_id}/dns_records/scan",
      permission: onZone("DNS Write"),
      result: ImportResult,
      handle: async ({ caller, params }) => ({
        result: await scanDnsRecords(context, caller, params.zone_id),
      }),
    }),
    route({
      operation: "getDnsRecord",
      summary: "Get a DNS record",
      method: "GET",
      path: "/zones/{zone_id}/dns_records/{dns_record_id}",
      permission: onZone("DNS Read"),
      result: DnsRecord,
      handle: async ({ params }) => ({
        result: await getDnsRecord(context, params.zone_id, params.dns_record_id),
      }),
    }),
    route({
      operation: "replaceDnsRecord",
      summary: "Replace a DNS record; fields left out get their defaults",
      method: "PUT",
      path: "/zones/{zone_id}/dns_records/{dns_record_id}",
      permission: onZone("DNS Write"),
      body: DnsRecordBody,
      result: DnsRecord,
      handle: async ({ caller, params, body }) => ({
        result: await replaceDnsRecord(context, caller, params.zone_id, params.dns_record_id, body),
      }),
    }),
    route({
      operation: "editDnsRecord",
      summary: "Change a DNS record; fields left out stay",
      method: "PATCH",
      path: "/zones/{zone_id}/dns_records/{dns_record_id}",
      permission: onZone("DNS Write"),
      body: DnsRecordBody,
      result: DnsRecord,
      handle: async ({ caller, params, body }) => ({
        result: await editDnsRecord(context, caller, params.zone_id, params.dns_record_id, body),
      }),
    }),
    route({
      operation: "deleteDnsRecord",
      summary: "Delete a DNS record",
      method: "DELETE",
      path: "/zones/{zone_id}/dns_records/{dns_record_id}",
      permission: onZone("DNS Write"),
      result: DnsRecordId,
      handle: async ({ caller, params }) => ({
        result: await deleteDnsRecord(context, caller, params.zone_id, params.dns_record_id),
      }),
    }),
  ];
}
