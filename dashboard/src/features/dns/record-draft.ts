import type { RecordType } from "../../../../src/core/dns/record-types.ts";
import type { DnsRecord, DnsRecordBody } from "../../api/dns-records.ts";
import { proxiableTypes, typesWithPriority } from "./record-type-hints.ts";

/** A record while it is written. */
export interface RecordDraft {
  readonly type: RecordType;
  readonly name: string;
  readonly content: string;
  readonly priority: number;
  /** Seconds; 1 is automatic. */
  readonly ttl: number;
  readonly proxied: boolean;
  readonly comment: string;
  /** `name:value` */
  readonly tags: readonly string[];
}

export const emptyDraft: RecordDraft = {
  type: "A",
  name: "",
  content: "",
  priority: 10,
  ttl: 1,
  proxied: false,
  comment: "",
  tags: [],
};

/** A name without that of its zone, where the rest would not be read as a whole name; `@` is the zone itself. */
export function relativeName(name: string, zoneName: string): string {
  if (name === zoneName) return "@";
  if (!isBelow(name, zoneName)) return name;
  const rest = name.slice(0, -zoneName.length - 1);
  return rest === zoneName || isBelow(rest, zoneName) ? name : rest;
}

function isBelow(name: string, zoneName: string): boolean {
  return name.endsWith(`.${zoneName}`);
}

export function draftOf(record: DnsRecord): RecordDraft {
  const { type, content, priority = 0, ttl, proxied, comment, tags, name, zone_name } = record;
  return {
    type,
    name: relativeName(name, zone_name),
    content,
    priority,
    ttl,
    proxied,
    comment: comment ?? "",
    tags,
  };
}

/** What is sent of it. A priority only where its type has one; what cannot be proxied says that it is not. */
export function bodyOf({ type, priority, proxied, comment, tags, ...draft }: RecordDraft): DnsRecordBody {
  const isProxied = proxied && proxiableTypes.has(type);
  return {
    type,
    ...draft,
    ...(typesWithPriority.has(type) && { priority }),
    ttl: isProxied ? 1 : draft.ttl,
    proxied: isProxied,
    comment: comment.trim() || null,
    tags,
  };
}

/** What makes a deleted record again, with another id. */
export function restoredBody(record: DnsRecord): DnsRecordBody {
  const { type, name, content, data, priority, ttl, proxied, comment, tags, settings } = record;
  return {
    type,
    name,
    ...(data === undefined ? { content } : { data }),
    ...(typesWithPriority.has(type) && { priority }),
    ttl,
    proxied,
    comment,
    tags,
    settings,
  };
}

/**
 * The part of `draft` that differs from the record, so that an edit says no more than it means. With another type it is
 * all of it: the API then keeps neither content nor priority.
 */
export function editOf(record: DnsRecord, draft: RecordDraft): DnsRecordBody {
  const after = bodyOf(draft);
  if (draft.type !== record.type) return after;
  const before: Readonly<Record<string, unknown>> = bodyOf(draftOf(record));
  const changed = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed);
}
