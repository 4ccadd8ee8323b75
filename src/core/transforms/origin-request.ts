import { decodeText } from "../expression/byte-string.ts";
import { valueOf, type RequestContext } from "../expression/context.ts";
import { headersOf } from "./request-headers.ts";
import { originPath, type UrlNormalization } from "./url-normalization.ts";

/** A request as the origin would get it. */
export interface OriginRequest {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/**
 * What becomes of a request that nothing stops. `incoming` is the request before the first stage, `last` after the last
 * one. A path that no rule rewrote comes as `originPath` has it.
 */
export function originRequestOf(
  incoming: RequestContext,
  last: RequestContext,
  normalization: UrlNormalization,
): OriginRequest {
  const scheme = valueOf(last, "ssl") === true ? "https" : "http";
  return {
    url: `${scheme}://${textOf(last, "http.host")}${originTargetOf(incoming, last, normalization)}`,
    headers: headersOf(last).map(([name, value]) => ({
      name: decodeText(name) ?? name,
      value: decodeText(value) ?? value,
    })),
  };
}

/** Path and query of such a request. */
export function originTargetOf(
  incoming: RequestContext,
  last: RequestContext,
  normalization: UrlNormalization,
): string {
  const field = "http.request.uri.path";
  const isRewritten = incoming !== last && textOf(incoming, field) !== textOf(last, field);
  const path = isRewritten
    ? textOf(last, field)
    : originPath(textOf(incoming, `raw.${field}`), normalization);
  // What rules saw as part of the path must not be the origin's query (RFC 3986 section 3.3).
  const escaped = path.replaceAll(/[?#]/g, (mark) => encodeURIComponent(mark));
  return targetOf(escaped, textOf(last, "http.request.uri.query"));
}

/** What a request asks for: path and query. */
export function targetOf(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

function textOf(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}
