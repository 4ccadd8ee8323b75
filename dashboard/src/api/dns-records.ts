import type {
  BatchBody,
  DnsRecord,
  DnsRecordBody,
  ImportResult,
  ListDnsRecordsQuery,
} from "../../../src/resources/dns-records/schema.ts";
import { path, type ApiCall, type FileBody } from "./call.ts";

export type { DnsRecord, DnsRecordBody, ImportResult };

type ListQuery = Omit<ListDnsRecordsQuery, "match" | "tag_match" | "tag-match"> & {
  readonly page: number;
  readonly per_page: number;
  readonly order?: string;
  readonly direction?: string;
};

export const dnsRecordsPath = (zoneId: string): string => path`/zones/${zoneId}/dns_records`;

export const listDnsRecords = (zoneId: string, query: ListQuery): ApiCall<DnsRecord[]> => ({
  method: "GET",
  path: dnsRecordsPath(zoneId),
  query,
});

const dnsRecordPath = (zoneId: string, recordId: string): string =>
  path`/zones/${zoneId}/dns_records/${recordId}`;

export const createDnsRecord = (zoneId: string, body: DnsRecordBody): ApiCall<DnsRecord> => ({
  method: "POST",
  path: dnsRecordsPath(zoneId),
  body,
});

export const editDnsRecord = (zoneId: string, recordId: string, body: DnsRecordBody): ApiCall<DnsRecord> => ({
  method: "PATCH",
  path: dnsRecordPath(zoneId, recordId),
  body,
});

/** Changes several records, all of them or none. */
export const batchDnsRecords = (zoneId: string, body: BatchBody): ApiCall<unknown> => ({
  method: "POST",
  path: path`/zones/${zoneId}/dns_records/batch`,
  body,
});

/** Answers a zone file, without an envelope. */
export const exportDnsRecords = (zoneId: string): ApiCall<string> => ({
  method: "GET",
  path: path`/zones/${zoneId}/dns_records/export`,
});

export const importDnsRecords = (
  zoneId: string,
  file: FileBody["file"],
  isProxied: boolean,
): ApiCall<ImportResult> => ({
  method: "POST",
  path: path`/zones/${zoneId}/dns_records/import`,
  upload: { file, fields: { proxied: String(isProxied) } },
});
