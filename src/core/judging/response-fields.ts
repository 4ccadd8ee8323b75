import { fieldMakers, withMade, type RequestContext } from "../expression/context.ts";
import type { Header } from "../transforms/request-headers.ts";
import { fieldsOfPairs, mediaTypeOf } from "./request-fields.ts";

/** A response as rules see it. */
export interface DescribedResponse {
  readonly status: number;
  /** Names in lower case; byte strings. */
  readonly headers: readonly Header[];
  /** An error that the edge itself answers; undefined for an origin's response. */
  readonly error?: ResponseError;
}

/** An error that the edge itself answers. */
export interface ResponseError {
  readonly type: "1xxx" | "5xx" | "ip_ban" | "ratelimit" | "waf" | "";
  /** The number of the error in the public documentation; 0 for none. */
  readonly code: number;
}

const headerMakers = fieldMakers(
  fieldsOfPairs("http.response.headers", (headers: readonly Header[]) => headers),
);

const makers = fieldMakers<DescribedResponse>({
  "cf.response.error_type": ({ error }) => error?.type ?? "",
  "cf.response.1xxx_code": ({ error }) => error?.code ?? 0,
  "http.response.code": ({ status }) => status,
  "http.response.content_type.media_type": ({ headers }) =>
    mediaTypeOf(headers.find(([name]) => name === "content-type")?.[1] ?? ""),
  "http.response.headers.truncated": () => false,
  ...fieldsOfPairs("http.response.headers", ({ headers }: DescribedResponse) => headers),
  ...fieldsOfPairs("raw.http.response.headers", ({ headers }: DescribedResponse) => headers),
});

export function withResponse(request: RequestContext, response: DescribedResponse): RequestContext {
  return withMade(request, makers, response);
}

/** The request with other headers of its response; their names are in lower case. */
export function withResponseHeaders(request: RequestContext, headers: readonly Header[]): RequestContext {
  return withMade(request, headerMakers, headers);
}
