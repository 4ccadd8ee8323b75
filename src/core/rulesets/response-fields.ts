import { withFields, type RequestContext } from "../expression/context.ts";
import type { Header } from "../transforms/request-headers.ts";
import { pairFields } from "./request-fields.ts";

/** An answer as rules see it. */
export interface DescribedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: readonly Header[];
}

/** A request with the answer to it. */
export function withResponse(
  request: RequestContext,
  { status, headers }: DescribedResponse,
): RequestContext {
  const media = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return withFields(request, {
    "http.response.code": status,
    "http.response.content_type.media_type": media.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    "http.response.headers.truncated": false,
    ...responseHeaderFields(headers),
    ...pairFields("raw.http.response.headers", headers),
  });
}

/** The fields that follow from the headers of an answer. */
export function responseHeaderFields(headers: readonly Header[]): Record<string, unknown> {
  return pairFields("http.response.headers", headers);
}
