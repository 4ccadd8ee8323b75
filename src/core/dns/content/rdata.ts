import { refuseOversized } from "./dns-error.ts";
import { parsePlain, plainRules } from "./plain.ts";
import { parseStructured, structuredRules } from "./structured.ts";
import type { Rdata, RdataInput, RecordType, StructuredType } from "./record-types.ts";
import { isJsonObject } from "../../json.ts";
import { isGiven } from "./fields.ts";
import { isHostname, toAsciiName } from "./name.ts";

/**
 * The validated, canonical data of a record from an untrusted body. For structured types `data` wins over
 * `content`, which may be in presentation format; `zoneName` is what `@` as a target stands for.
 *
 * Errors, of the kind `invalid`: 9005, 9006, 9007 and 9009 for content that does not fit the type, 9011 for none, 9015
 * above 4096 octets on the wire, 9101 for a missing field and 9102 for one that does not fit. The pointer is
 * `/content`, `/data`, `/data/{field}` or `/priority`.
 */
export function parseRdata(type: RecordType, input: RdataInput, zoneName: string): Rdata {
  refuseOversized(input);
  return isStructured(type)
    ? parseStructured(type, structuredRules[type], input, zoneName)
    : parsePlain(type, plainRules[type], input, zoneName);
}

/**
 * A text that is equal for two records exactly if they are the same DNS record: type, name and wire data.
 * `name` is a result of `qualifyName`, `rdata` one of `parseRdata`. It may be some 20,000 characters long.
 */
export function wireIdentity(type: RecordType, name: string, rdata: Rdata): string {
  return JSON.stringify([type, name, rdata.priority ?? null, dataIdentity(type, rdata)]);
}

function dataIdentity(type: RecordType, { content, data }: Rdata): unknown {
  if (!isStructured(type)) return plainRules[type].identity?.(content) ?? content;
  return (data && structuredRules[type].identity?.(data, content)) ?? content;
}

function isStructured(type: RecordType): type is StructuredType {
  return Object.hasOwn(structuredRules, type);
}

/**
 * The name of an SRV record that may have been posted as was usual once, with `service`, `proto` and `name` in its
 * data instead of a top-level name (docs/contract/dns-records.md#srv). Then it is `_service._proto.name`, for
 * `qualifyName`, and `name` unchanged in every other case.
 */
export function srvRecordName(name: unknown, data: unknown): unknown {
  if ((isGiven(name) && name !== "") || !isJsonObject(data)) return name;
  const { service, proto, name: rest } = data;
  if (!isText(service) || !isText(proto) || !isText(rest)) return name;
  const owner = `${underscored(service)}.${underscored(proto)}`;
  return rest === "@" ? owner : `${owner}.${rest}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function underscored(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}

// An unclosed quote matches up to the end, so that the search for its end is not repeated at each later quote.
const quotedOrBlank = /("(?:[^"\\]|\\.?)*(?:"|$))|[ \t]+/gs;
// Only numbers and quoted texts may precede the name, as in SRV and NAPTR. With words it would be a sentence.
const nameWithFinalDot = /^((?:(?:\d+|"(?:[^"\\]|\\.)*") )*)([^ "]+)\.$/;

/**
 * The form in which a content filter of a list is compared: trimmed, runs of spaces and tabs outside quotes made one
 * space, and the final dot cut from a name that the content is or ends with, as stored content has none. Letter case
 * stays.
 */
export function normalizeContentFilter(content: string): string {
  const text = content.trim().replace(quotedOrBlank, (_, quoted?: string) => quoted ?? " ");
  const [, before = "", name = ""] = nameWithFinalDot.exec(text) ?? [];
  return looksLikeHostname(name) ? before + name : text;
}

function looksLikeHostname(name: string): boolean {
  const ascii = toAsciiName(name);
  return ascii !== undefined && ascii.includes(".") && isHostname(ascii.replaceAll("_", "x"));
}
