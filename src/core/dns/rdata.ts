import { refuseOversized } from "./limits.ts";
import { parsePlain } from "./parse-plain.ts";
import { parseStructured } from "./parse-structured.ts";
import { plainRules } from "./plain.ts";
import type { Rdata, RdataInput, RecordType, StructuredType } from "./record-types.ts";
import { structuredRules } from "./structured.ts";

export { isProxiableType, proxiableRule, type ProxiableRule } from "./proxiable.ts";
export { normalizeContentFilter } from "./content-filter.ts";
export { recordTypes } from "./record-types.ts";
export type { Rdata, RdataInput, RecordType } from "./record-types.ts";
export { srvRecordName } from "./srv-name.ts";

/**
 * The validated, canonical data of a record from an untrusted body. For structured types `data` wins over
 * `content`, which may be in presentation form; `zoneName` is what `@` as a target stands for.
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
