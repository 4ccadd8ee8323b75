import type { DnsRecord, ListDnsRecordsQuery } from "../../../src/resources/dns/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { DnsRecord };

type ListQuery = Omit<ListDnsRecordsQuery, "match" | "tag_match" | "tag-match"> & {
  readonly page: number;
  readonly per_page: number;
  readonly order?: string;
  readonly direction?: string;
};

const dnsRecordsPath = (zoneId: string): string => path`/zones/${zoneId}/dns_records`;

export const listDnsRecords = (zoneId: string, query: ListQuery): ApiCall<DnsRecord[]> => ({
  method: "GET",
  path: dnsRecordsPath(zoneId),
  query,
});
