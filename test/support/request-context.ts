import assert from "node:assert/strict";

import { RequestContext, toData, valueOf } from "../../src/core/expression/context.ts";
import { fields } from "../../src/core/expression/fields.ts";
import {
  describeText,
  splitUrl,
  type DescribedRequest,
  type RequestText,
} from "../../src/core/judging/described-request.ts";
import { requestContext, type ZoneOfRequest } from "../../src/core/judging/request-fields.ts";
import { defaultUrlNormalization } from "../../src/core/transforms/url-normalization.ts";

export type TestRequest = Partial<
  RequestText & Pick<DescribedRequest, "method" | "address" | "known"> & ZoneOfRequest
>;

/** A request of an enterprise zone, as rules see it: a GET from 192.0.2.1 without headers, unless said otherwise. */
export function requestOf(url: string, request: TestRequest = {}): RequestContext {
  const parts = splitUrl(url);
  assert.ok(parts, url);
  const {
    headers = {},
    cookies = {},
    body = "",
    bodyType,
    zone = { name: "example.com", plan: "enterprise" },
    urlNormalization = defaultUrlNormalization,
    ...rest
  } = request;
  const text = { headers, cookies, body, ...(bodyType !== undefined && { bodyType }) };
  const sent = describeText(text, parts);
  const described = { method: "GET", address: "192.0.2.1", time: 0, ...sent, ...rest };
  return requestContext(described, { zone, urlNormalization }, parts, new Map());
}

/** All fields of a request as JSON data. */
export function fieldsOf(request: RequestContext): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name }) => [name, toData(valueOf(request, name))]));
}
