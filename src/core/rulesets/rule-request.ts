import { encodeText } from "../expression/byte-string.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import type { DescribedRequest, UrlParts } from "./described-request.ts";

/** Methods of which clients announce the length of the body also where there is none. */
const withLength: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** A request as it came, or as a client would send what describes it: with the length of the body. */
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
