import { encodeText } from "../expression/byte-string.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import type { DescribedRequest, UrlParts } from "./described-request.ts";

/** Methods whose requests have a `Content-Length` even without a body. */
const withLength: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * The request as received or, if it was only described, as a client would send it: with a `Content-Length`.
 */
export function ruleRequestOf(request: DescribedRequest, { path, query }: UrlParts): RuleRequest {
  if (request.received !== undefined) return request.received();
  const { method, protocol = "HTTP/1.1", body, address } = request;
  const headers = request.headers.map(([name, value]) => ({ name, value }));
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  const hasLength = names.has("content-length") || names.has("transfer-encoding");
  if (!hasLength && (body !== "" || withLength.has(method)))
    headers.push({ name: "Content-Length", value: String(body.length) });
  return {
    method,
    target: encodeText(query === "" ? path : `${path}?${query}`),
    protocol,
    headers,
    body,
    remoteAddress: address,
  };
}
