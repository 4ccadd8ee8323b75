import type { DataValue, RdataInput, RecordType } from "../../../../src/core/dns/content/record-types.ts";
import type { DnsRecord, DnsRecordBody } from "../../../../src/resources/dns-records/schema.ts";
import { isProxiableType } from "../../../../src/core/dns/content/proxiable.ts";
import { dataFieldsOf, hasPriority } from "./record-form-fields.ts";

/** A record while it is written. */
export interface RecordDraft {
  readonly type: RecordType;
  readonly name: string;
  /** For a type whose content is a single text. */
  readonly content: string;
  /** For any other type: its parts, with an empty text for one that is not written. */
  readonly data: Readonly<Record<string, DataValue>>;
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
  data: {},
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
  const { type, content, data = {}, priority = 0, ttl, proxied, comment, tags, name, zone_name } = record;
  return {
    type,
    name: relativeName(name, zone_name),
    content: dataFieldsOf(type).length > 0 ? "" : content,
    data,
    priority,
    ttl,
    proxied,
    comment: comment ?? "",
    tags,
  };
}

/** The part of a draft that the DNS serves, as the API takes it: content, or data without the parts that are empty. */
export function rdataInputOf({ type, content, data, priority }: RecordDraft): RdataInput {
  const fields = dataFieldsOf(type);
  const given = fields.flatMap(({ name }) => {
    const value = data[name] ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  return {
    ...(fields.length > 0 ? { data: Object.fromEntries(given) } : { content }),
    ...(hasPriority(type) && { priority }),
  };
}

/**
 * The body of a draft. A priority only where its type has one; a draft that cannot be proxied says that it is not.
 */
export function bodyOf(draft: RecordDraft): DnsRecordBody {
  const { type, name, ttl, proxied, comment, tags } = draft;
  const isProxied = proxied && isProxiableType(type);
  return {
    type,
    name,
    ...rdataInputOf(draft),
    ttl: isProxied ? 1 : ttl,
    proxied: isProxied,
    comment: comment.trim() || null,
    tags,
  };
}

/** The body that makes a deleted record again, with another id. */
export function restoredBody(record: DnsRecord): DnsRecordBody {
  const { type, name, content, data, priority, ttl, proxied, comment, tags, settings } = record;
  return {
    type,
    name,
    ...(data === undefined ? { content } : { data }),
    ...(hasPriority(type) && { priority }),
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
