import { hash } from "node:crypto";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest, type AppError } from "../../core/error.ts";
import { dnsError } from "../../core/dns/content/dns-error.ts";
import { isReservedTag } from "../../core/dns/zone-file/attributes.ts";
import { isGiven, readNumber } from "../../core/dns/content/fields.ts";
import { isJsonObject } from "../../core/json.ts";
import { qualifyName } from "../../core/dns/content/name.ts";
import { isProxiableType, proxiableRule, type ProxiableRule } from "../../core/dns/content/proxiable.ts";
import { parseRdata, srvRecordName, wireIdentity } from "../../core/dns/content/rdata.ts";
import { recordTypes, type Rdata, type RecordType } from "../../core/dns/content/record-types.ts";
import type { Context } from "../../operation/context.ts";
import { toFlag } from "../../storage/columns.ts";
import type { DnsRecordRow, DnsRecordTagRow, RecordBefore } from "../../storage/schema/dns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { plans } from "../zones/zones.ts";
import { splitTag } from "./filter.ts";
import type { DnsRecord, DnsRecordBody } from "./schema.ts";
import { contentPrefixLength, type StoredRecord } from "./store.ts";

/** The context of operations that check records. */
export interface DnsContext extends Context {
  /** Addresses and ranges in CIDR notation that proxied records may have besides public addresses. */
  readonly originNetworks: readonly string[];
}

/** The facts besides a record on which its validity depends. */
export interface RecordRules {
  readonly zoneName: string;
  readonly ttlMin: number;
  readonly commentLengthMax: number;
  readonly tagsMax: number;
  readonly isProxiable: ProxiableRule;
  /** The comment that the record has already, which stays valid. */
  readonly keptComment?: string | null;
}

/** The rules of a zone: its plan sets the limits. */
export function recordRules(
  zone: Pick<ZoneRow, "name" | "plan">,
  { originNetworks }: Pick<DnsContext, "originNetworks">,
): RecordRules {
  return { zoneName: zone.name, ...plans[zone.plan], isProxiable: proxiableRule(originNetworks) };
}

/** The rules for a PATCH: what it leaves out stays, although wider limits may have held then. */
export function patchRules(
  rules: RecordRules,
  { ttl, comment, tags, proxied, content }: DnsRecord,
  patch: DnsRecordBody,
): RecordRules {
  return {
    ...rules,
    isProxiable: (type, target) => rules.isProxiable(type, target) || (proxied && target === content),
    ...(!isGiven(patch.ttl) && { ttlMin: Math.min(rules.ttlMin, ttl) }),
    ...(patch.comment === undefined && { keptComment: comment }),
    ...(!isGiven(patch.tags) && { tagsMax: Math.max(rules.tagsMax, tags.length) }),
  };
}

/** A record without what the server adds. */
export interface RecordFields {
  readonly name: string;
  readonly type: RecordType;
  readonly rdata: Rdata;
  readonly ttl: number;
  readonly proxiable: boolean;
  readonly proxied: boolean;
  readonly comment: string | null;
  readonly tags: readonly string[];
  readonly settings: Readonly<Record<string, boolean>>;
}

/** Errors: 400 code 9360 for a zone whose records another server has. */
export function refuseTransferred({ type }: Pick<ZoneRow, "type">): void {
  if (type !== "secondary") return;
  throw invalidRequest(
    errorCodes.dnsRecords.readOnly,
    "The records of a secondary zone are those of its primary server.",
  );
}

const automaticTtl = 1;
export const ttlMax = 86_400;

/**
 * Checks a record as it was sent; what is left out gets its default. Read-only fields are ignored.
 * Errors: 400 with a code of docs/contract/errors.md#dns-records, an `error_chain` and a pointer.
 */
export function parseRecord(body: DnsRecordBody, rules: RecordRules): RecordFields {
  const type = parseType(body.type);
  const name = qualifyName(type === "SRV" ? srvRecordName(body.name, body.data) : body.name, rules.zoneName);
  const rdata = parseRdata(type, body, rules.zoneName);
  if (type === "CNAME" && rdata.content === name) {
    throw dnsError(errorCodes.dnsRecords.cnameToItself, "CNAME content cannot reference itself.", "/content");
  }
  const proxiable = rules.isProxiable(type, rdata.content);
  const proxied = parseProxied(body.proxied);
  if (proxied && !proxiable) throw unproxiable(type, rdata.content);
  const ttl = parseTtl(body.ttl, rules.ttlMin);
  return {
    name,
    type,
    rdata,
    ttl: proxied ? automaticTtl : ttl,
    proxiable,
    proxied,
    comment: parseComment(body.comment, rules),
    tags: parseTags(body.tags, rules.tagsMax),
    settings: parseSettings(body.settings, type, proxied),
  };
}

/**
 * The body that a PATCH means: the stored record with the given fields in place of its own. Null means left
 * out, as clients send it for what they do not set; only a comment is cleared by it. Content and data say the
 * same thing, so giving one drops the other; a new type drops both.
 */
export function patchedBody(record: DnsRecord, patch: DnsRecordBody): DnsRecordBody {
  const { content, data, priority, ...rest } = record;
  const given = givenFields(patch);
  const keepsType =
    given.type === undefined || (typeof given.type === "string" && given.type.toUpperCase() === record.type);
  const replacesData = given.content !== undefined || given.data !== undefined;
  const rdata = data === undefined ? { content, priority } : replacesData ? { priority } : { data, priority };
  const merged: DnsRecordBody = {
    ...rest,
    ...(keepsType && rdata),
    ...given,
    ...(patch.comment === null && { comment: null }),
    ...(isJsonObject(given.settings) && {
      settings: { ...record.settings, ...givenFields(given.settings) },
    }),
  };
  // A priority that is given alone has to reach the parts as well.
  if (given.priority !== undefined && merged.data === data && data !== undefined && "priority" in data) {
    return { ...merged, data: { ...data, priority: given.priority } };
  }
  return merged;
}

/** The fields of a body that say something: null does not, nor do data without fields. */
function givenFields(body: DnsRecordBody): DnsRecordBody {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => isGiven(value) && !(name === "data" && isEmptyObject(value)),
    ),
  );
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The record as the API answers it; `id` stands first, as clients search the text for it. */
export function toRecord(
  fields: RecordFields,
  origin: {
    readonly id: string;
    readonly zone: Pick<ZoneRow, "id" | "name">;
    readonly now: Timestamp;
    /** The record that this one replaces. */
    readonly earlier?: DnsRecord;
  },
): DnsRecord {
  const { earlier, now } = origin;
  // A record without a comment or tags says no time of them: declarative clients expect none after their
  // removal.
  const commentModifiedOn =
    earlier?.comment === fields.comment
      ? earlier.comment_modified_on
      : fields.comment === null
        ? undefined
        : now;
  const tagsModifiedOn =
    earlier && sameTags(earlier.tags, fields.tags)
      ? earlier.tags_modified_on
      : fields.tags.length === 0
        ? undefined
        : now;
  return {
    id: origin.id,
    zone_id: origin.zone.id,
    zone_name: origin.zone.name,
    name: fields.name,
    type: fields.type,
    content: fields.rdata.content,
    ...(fields.rdata.priority !== undefined && { priority: fields.rdata.priority }),
    ...(fields.rdata.data !== undefined && { data: { ...fields.rdata.data } }),
    proxiable: fields.proxiable,
    proxied: fields.proxied,
    ttl: fields.ttl,
    settings: { ...fields.settings },
    meta: {},
    comment: fields.comment,
    tags: [...fields.tags],
    created_on: earlier?.created_on ?? now,
    modified_on: now,
    ...(commentModifiedOn !== undefined && { comment_modified_on: commentModifiedOn }),
    ...(tagsModifiedOn !== undefined && { tags_modified_on: tagsModifiedOn }),
  };
}

function sameTags(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag, index) => tag === other[index]);
}

function parseType(value: unknown): RecordType {
  const type = recordTypes.find((known) => typeof value === "string" && known === value.toUpperCase());
  if (type === undefined)
    throw dnsError(errorCodes.dnsRecords.invalidType, "DNS record type is invalid.", "/type");
  return type;
}

function parseTtl(value: unknown, ttlMin: number): number {
  const ttl = isGiven(value) ? readNumber(value) : automaticTtl;
  const isValid = ttl !== undefined && Number.isInteger(ttl) && ttl >= ttlMin && ttl <= ttlMax;
  if (ttl !== automaticTtl && !isValid) {
    throw dnsError(
      errorCodes.dnsRecords.invalidTtl,
      `Invalid TTL. Must be between ${ttlMin} and 86,400 seconds, or 1 for Automatic.`,
      "/ttl",
    );
  }
  return ttl;
}

function parseProxied(value: unknown): boolean {
  const proxied = value ?? false;
  if (typeof proxied !== "boolean")
    throw dnsError(errorCodes.dnsRecords.invalidProxied, "proxied must be a boolean.", "/proxied");
  return proxied;
}

/** The error for a proxied record of a type that cannot be, or with a target that is not allowed for it. */
function unproxiable(type: RecordType, content: string): AppError {
  if (!isProxiableType(type)) {
    return dnsError(errorCodes.dnsRecords.cannotBeProxied, "This record type cannot be proxied.", "/proxied");
  }
  const target = type === "CNAME" ? `${content}.` : content;
  return dnsError(
    errorCodes.dnsRecords.invalidTarget,
    `Target ${target} is not allowed for a proxied record.`,
    "/content",
  );
}

const commentForm = /^(?:[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|\t)*$/u;

function parseComment(
  value: unknown,
  { commentLengthMax, keptComment }: Pick<RecordRules, "commentLengthMax" | "keptComment">,
): string | null {
  if (value == null || value === "") return null;
  if (value === keptComment) return keptComment;
  if (typeof value !== "string" || !commentForm.test(value))
    throw dnsError(
      errorCodes.dnsRecords.invalidComment,
      "comment must be null or a text without line ends and control characters.",
      "/comment",
    );
  if (lengthOf(value) > commentLengthMax) {
    throw dnsError(
      errorCodes.dnsRecords.commentTooLong,
      `DNS record comment exceeds the maximum length of ${commentLengthMax} characters.`,
      "/comment",
    );
  }
  return value;
}

/** In characters, as the limits of the plans count. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

const tagForm = /^[A-Za-z0-9_-]{1,32}(?::[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{0,100})?$/u;

/** A tag that stands there already is dropped; names that differ in case alone are the same. */
function parseTags(value: unknown, tagsMax: number): readonly string[] {
  const tags: unknown = value ?? [];
  if (!Array.isArray(tags))
    throw dnsError(errorCodes.dnsRecords.invalidTags, "tags must be a list of name:value.", "/tags");
  const distinct = new Map<string, string>();
  for (const [index, sent] of tags.entries()) {
    const tag = parseTag(sent, `/tags/${index}`);
    const { name } = splitTag(tag);
    const key = name.toLowerCase() + tag.slice(name.length);
    if (!distinct.has(key)) distinct.set(key, tag);
  }
  if (distinct.size > tagsMax) {
    throw dnsError(
      errorCodes.dnsRecords.tooManyTags,
      `DNS record has ${distinct.size} tags, exceeding the quota of ${tagsMax}.`,
      "/tags",
    );
  }
  return [...distinct.values()];
}

function parseTag(tag: unknown, pointer: string): string {
  if (typeof tag !== "string" || !tagForm.test(tag)) {
    throw dnsError(
      errorCodes.dnsRecords.invalidTag,
      "A tag must have the form name:value, with a name of at most 32 letters, digits, underscores and hyphens and a value of at most 100 characters.",
      pointer,
    );
  }
  if (isReservedTag(splitTag(tag).name))
    throw dnsError(errorCodes.dnsRecords.reservedTag, `The tag ${tag} is reserved.`, pointer);
  return tag;
}

const settingsOfType: Partial<Record<RecordType, readonly string[]>> = {
  A: ["ipv4_only", "ipv6_only"],
  AAAA: ["ipv4_only", "ipv6_only"],
  CNAME: ["ipv4_only", "ipv6_only", "flatten_cname"],
};

/**
 * A proxied record is answered with the addresses of the edge: flattening does nothing for it, and is not
 * kept.
 */
function parseSettings(value: unknown, type: RecordType, proxied: boolean): Record<string, boolean> {
  const settings: Record<string, boolean> = type === "CNAME" ? { flatten_cname: false } : {};
  if (value == null) return settings;
  if (!isJsonObject(value))
    throw dnsError(errorCodes.dnsRecords.invalidSettings, "settings must be an object.", "/settings");
  for (const name of settingsOfType[type] ?? []) {
    const setting: unknown = value[name];
    if (setting == null) continue;
    if (typeof setting !== "boolean")
      throw dnsError(errorCodes.dnsRecords.invalidSetting, `${name} must be a boolean.`, `/settings/${name}`);
    settings[name] = setting;
  }
  return proxied && type === "CNAME" ? { ...settings, flatten_cname: false } : settings;
}

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
