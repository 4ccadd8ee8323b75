import { toAsciiName } from "../../../../src/core/dns/name.ts";
import { wireIdentity } from "../../../../src/core/dns/rdata.ts";
import { parseZoneFile, type ZoneFileRecord } from "../../../../src/core/dns/zone-file/parse.ts";
import type { DnsRecord } from "../../api/dns-records.ts";

/** What importing a zone file would do. */
export type ImportPreview =
  | {
      readonly added: readonly ZoneFileRecord[];
      /** Records that the zone has already, or that the file has twice: they are passed over. */
      readonly kept: readonly ZoneFileRecord[];
    }
  | { readonly issue: { readonly line: number; readonly message: string } };

/** Reads a zone file as the server will, and compares it with the records of the zone. */
export function previewImport(text: string, zoneName: string, records: readonly DnsRecord[]): ImportPreview {
  const file = parseZoneFile(text, { zoneName: toAsciiName(zoneName) ?? zoneName, ttlDefault: 1 });
  if ("error" in file) return { issue: { line: file.error.line, message: file.error.message } };
  const known = new Set(
    records.map(({ type, name, content, data, priority }) =>
      wireIdentity(type, name, {
        content,
        ...(data && { data }),
        ...(priority !== undefined && { priority }),
      }),
    ),
  );
  const added: ZoneFileRecord[] = [];
  const kept: ZoneFileRecord[] = [];
  for (const record of file.records) {
    const identity = wireIdentity(record.type, record.name, record);
    (known.has(identity) ? kept : added).push(record);
    known.add(identity);
  }
  return { added, kept };
}
