import { hash } from "node:crypto";

import { wireIdentity } from "../../core/dns/content/rdata.ts";
import { toFlag } from "../../storage/columns.ts";
import type { DnsRecordRow, DnsRecordTagRow, RecordBefore } from "../../storage/schema/dns.ts";
import { splitTag } from "./filter.ts";
import type { RecordFields } from "./record.ts";
import type { DnsRecord } from "./schema.ts";
import { contentPrefixLength, type StoredRecord } from "./store.ts";

/** Equal for two records of a zone exactly when they are the same one; 32 hexadecimal characters. */
export function identityOf({ type, name, rdata }: Pick<RecordFields, "type" | "name" | "rdata">): string {
  return hash("sha256", wireIdentity(type, name, rdata)).slice(0, 32);
}

/**
 * A record as it is stored. `identity` is what no other record of the zone may have
 * (`core/dns/content/name-conflicts.ts`).
 */
export function toRows(record: DnsRecord, identity: string): StoredRecord {
  return { row: toRow(record, identity), tags: toTagRows(record) };
}

function toRow(record: DnsRecord, identity: string): DnsRecordRow {
  const contentFolded = record.content.toLowerCase();
  return {
    id: record.id,
    zone_id: record.zone_id,
    name: record.name,
    type: record.type,
    content_folded: contentFolded,
    content_prefix: contentFolded.slice(0, contentPrefixLength),
    ttl: record.ttl,
    proxied: toFlag(record.proxied),
    comment_folded: record.comment?.toLowerCase() ?? null,
    identity,
    record: JSON.stringify(record),
  };
}

function toTagRows(record: DnsRecord): DnsRecordTagRow[] {
  return record.tags.map((tag) => {
    const { name, value } = splitTag(tag.toLowerCase());
    return { record_id: record.id, tag_name: name, tag_value: value };
  });
}

/** The part of a record that is served. */
export function toStoredRecord(record: DnsRecord): RecordBefore {
  const { name, type, content, data, priority, ttl, proxied, settings } = record;
  return {
    name,
    type,
    content,
    ...(data !== undefined && { data }),
    ...(priority !== undefined && { priority }),
    ttl,
    proxied,
    settings,
  };
}
