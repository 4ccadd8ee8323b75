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
/** What the edge itself says to an origin, whatever came: where a request goes and ends, and that it is no loop (RFC 8586). */
const ofConnections: ReadonlySet<string> = new Set([
  "accept-encoding",
  "cdn-loop",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Why a rule may not change a header; undefined if it may. As documented for
 * [requests](https://developers.cloudflare.com/rules/transform/request-header-modification/#important-remarks) and
 * [responses](https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks), in the
 * words that users report.
 */
export function reservedHeaderIssue(
  writtenName: string,
  operation: Operation,
  phase: Phase,
): string | undefined {
  const name = writtenName.toLowerCase();
  const isOfResponse = phase === "http_response_headers_transform";
  const isRemoved = operation === "remove";
  const [prefix] = ofTheService.exec(name) ?? [];
  if (prefix !== undefined && !(name === "cf-connecting-ip" && isRemoved && !isOfResponse))
    return `it cannot be used on header beginning with '${prefix}'`;
  const isReserved = isOfResponse
    ? name === "server"
    : ofConnections.has(name) || (removableOnly.has(name) && !isRemoved);
  return isReserved ? `it cannot be used on header '${writtenName}'` : undefined;
}
