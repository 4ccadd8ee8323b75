import { decodeText } from "../expression/byte-string.ts";
import { valueOf, type RequestContext } from "../expression/context.ts";
import { headersOf } from "./request-headers.ts";
import type { UrlNormalization } from "./url-normalization.ts";

/** A request as the origin would get it. */
export interface OriginRequest {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/**
 * What becomes of a request that nothing stops. `incoming` is the request before the first stage, `last` after the last
 * one. A path that no rule rewrote comes as it was sent, unless the zone normalizes URLs for its origin too.
 */
export function originRequestOf(
  incoming: RequestContext,
  last: RequestContext,
  { scope }: UrlNormalization,
): OriginRequest {
  const rewritten = (field: string) => textOf(incoming, field) !== textOf(last, field);
  const path = "http.request.uri.path";
  const query = "http.request.uri.query";
  const isPathKept = scope !== "both" && !rewritten(path);
  const sentPath = isPathKept ? textOf(incoming, `raw.${path}`) : textOf(last, path);
  const sentQuery = textOf(last, query);
  const scheme = valueOf(last, "ssl") === true ? "https" : "http";
  return {
    url: `${scheme}://${textOf(last, "http.host")}${sentPath}${sentQuery === "" ? "" : `?${sentQuery}`}`,
    headers: headersOf(last).map(([name, value]) => ({ name, value })),
  };
}

function textOf(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}
