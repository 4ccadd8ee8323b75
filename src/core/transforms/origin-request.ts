import { decodeText } from "../expression/byte-string.ts";
import { valueOf, type RequestContext } from "../expression/context.ts";
import { headersOf } from "./request-headers.ts";
import { originPath, type UrlNormalization } from "./url-normalization.ts";

export interface OriginRequest {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/**
 * The request to the origin, if nothing stops it. `incoming` is the request before the first stage, `last`
 * after the last one. A path that no rule rewrote is that of `originPath`.
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

/** The target of the request to the origin: path and query. */
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
  // `?` and `#` that rules saw in the path must not begin the origin's query (RFC 3986 section 3.3).
  const escaped = path.replaceAll(/[?#]/g, (mark) => encodeURIComponent(mark));
  return targetOf(escaped, textOf(last, "http.request.uri.query"));
}

export function targetOf(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

function textOf(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}
