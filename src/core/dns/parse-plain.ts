import { contentTooLong, dnsError, emptyContent, invalidContent } from "./dns-error.ts";
import { octetsMax } from "./limits.ts";
import type { PlainRule } from "./plain.ts";
import { readPriority } from "./priority.ts";
import type { PlainType, Rdata, RdataInput } from "./record-types.ts";

/** A record that is one text, with a priority where the type has one. Errors as in `parseRdata`. */
export function parsePlain(type: PlainType, rule: PlainRule, input: RdataInput, zoneName: string): Rdata {
  const content = readContent(type, rule, input.content ?? "", zoneName);
  if (rule.octets(content) > octetsMax) throw contentTooLong("/content");
  return rule.hasPriority ? { content, priority: readPriority(input.priority) } : { content };
}

function readContent(type: PlainType, rule: PlainRule, given: unknown, zoneName: string): string {
  const text = typeof given === "string" ? given.trim() : undefined;
  if (text === "") throw emptyContent(type);
  const content =
    text === undefined ? undefined : rule.parse(rule.isVerbatim ? String(given) : text, zoneName);
  if (content !== undefined) return content;
  throw rule.error ? dnsError(rule.error.code, rule.error.message, "/content") : invalidContent(type);
}
