import type { Phase } from "../expression/phases.ts";

type Operation = "set" | "add" | "remove";

const ofTheService = /^(?:x-)?cf-/;
/** Headers that tell an origin who the visitor is; `cookie` may only be removed too. */
const removableOnly: ReadonlySet<string> = new Set([
  "cookie",
  "true-client-ip",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-real-ip",
]);

/**
 * Why a rule may not change a header; undefined if it may. As documented for
 * [requests](https://developers.cloudflare.com/rules/transform/request-header-modification/#important-remarks) and
 * [responses](https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks).
 */
export function reservedHeaderIssue(
  writtenName: string,
  operation: Operation,
  phase: Phase,
): string | undefined {
  const name = writtenName.toLowerCase();
  const isOfResponse = phase === "http_response_headers_transform";
  if (ofTheService.test(name)) {
    const isRemovable = name === "cf-connecting-ip" && !isOfResponse;
    if (isRemovable && operation === "remove") return undefined;
    return `rules may not ${isRemovable ? operation : "change"} the header ${name}`;
  }
  const isReserved = isOfResponse ? name === "server" : removableOnly.has(name);
  return isReserved && operation !== "remove" ? `rules may not ${operation} the header ${name}` : undefined;
}
