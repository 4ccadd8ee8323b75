import { encodeText } from "../expression/byte-string.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import { sentHeaders, type DescribedRequest, type UrlParts } from "./request-fields.ts";

/** Methods of which clients announce the length of the body also where there is none. */
const withLength: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * A request as it came, or as a client would send what describes it: with `Host`, and the type and the length of the
 * body.
 */
export function ruleRequestOf(
  request: Omit<DescribedRequest, "zone" | "urlNormalization">,
  { host, path, query }: UrlParts,
): RuleRequest {
  if (request.received !== undefined) return request.received;
  const { method, protocol = "HTTP/1.1", cookies, bodyType, address } = request;
  const body = encodeText(request.body);
  const sent = sentHeaders(request.headers).map(([name, value]) => header(name, value));
  const names = new Set(sent.map(({ name }) => name.toLowerCase()));
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const hasLength = names.has("content-length") || names.has("transfer-encoding");
  return {
    method,
    target: encodeText(query === "" ? path : `${path}?${query}`),
    protocol,
    headers: [
      ...(names.has("host") ? [] : [header("Host", host)]),
      ...sent,
      ...(pairs.length > 0 ? [header("Cookie", pairs.join("; "))] : []),
      ...(bodyType === undefined || names.has("content-type") ? [] : [header("Content-Type", bodyType)]),
      ...(hasLength || (body === "" && !withLength.has(method))
        ? []
        : [header("Content-Length", String(body.length))]),
    ],
    body,
    remoteAddress: address,
  };
}

function header(name: string, value: string) {
  return { name: encodeText(name), value: encodeText(value) };
}
