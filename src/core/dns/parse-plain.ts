import { AppError, joinErrors } from "../error.ts";
import { contentTooLong, dnsError, emptyContent, invalidContent } from "./dns-error.ts";
import { octetsMax } from "./limits.ts";
import type { PlainRule } from "./plain.ts";
import { readPriority } from "./priority.ts";
import type { PlainType, Rdata, RdataInput } from "./record-types.ts";

/** A record that is one text, with a priority where the type has one. Errors as in `parseRdata`. */
export function parsePlain(type: PlainType, rule: PlainRule, input: RdataInput, zoneName: string): Rdata {
  const content = readContent(type, rule, input.content ?? "", zoneName);
  const priority = rule.hasPriority ? readPriority(input.priority) : undefined;
  if (priority instanceof AppError) {
    throw content instanceof AppError ? joinErrors([priority, content]) : priority;
  }
  if (content instanceof AppError) throw content;
  return priority === undefined ? { content } : { content, priority };
}

function readContent(type: PlainType, rule: PlainRule, given: unknown, zoneName: string): string | AppError {
  const text = typeof given === "string" ? given.trim() : undefined;
  if (text === "" && !rule.isEmptyUnfit) return emptyContent(type);
  const content =
    text === undefined ? undefined : rule.parse(rule.isVerbatim ? String(given) : text, zoneName);
  if (content === undefined) {
    return rule.error ? dnsError(rule.error.code, rule.error.message, "/content") : invalidContent(type);
  }
  return rule.octets(content) > octetsMax ? contentTooLong("/content") : content;
}
