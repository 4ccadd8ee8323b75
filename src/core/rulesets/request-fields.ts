import { valueOf, withFields, type RequestContext } from "../expression/context.ts";
import { decodeText, encodeText, octetsOf, startOfText, toOctets } from "../expression/byte-string.ts";
import type { Plan } from "../expression/phases.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import type { Header } from "../transforms/request-headers.ts";
import {
  defaultUrlNormalization,
  incomingPath,
  type UrlNormalization,
} from "../transforms/url-normalization.ts";
import { requestLimits } from "./request-limits.ts";

export interface DescribedRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** `HTTP/1.1` by default. */
  readonly protocol?: string;
  /** By name, or in their order; the edge has the cookies among them. */
  readonly headers: Readonly<Record<string, string>> | readonly Header[];
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: string;
  /** Media type of the body, unless there is a header. */
  readonly bodyType?: string;
  readonly zone: { readonly name: string; readonly plan: Plan };
  /** The default where it is left out. */
  readonly urlNormalization?: UrlNormalization;
  readonly address: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** As it came over the wire, which rules of the Core Rule Set judge; made of the others where it is left out. */
  readonly received?: RuleRequest;
  /** Fields that do not follow from the request, such as `ip.src.country`. */
  readonly known: Readonly<Record<string, unknown>>;
}

export interface UrlParts {
  readonly isSecure: boolean;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The parts of a URL as written; undefined for other texts. */
export function splitUrl(url: string): UrlParts | undefined {
  const [, scheme = "", authority = "", path = "", query = ""] =
    /^(https?):\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (authority === "") return undefined;
  const isSecure = scheme.toLowerCase() === "https";
  return { isSecure, host: authority.toLowerCase(), path: path === "" ? "/" : path, query };
}

const planNames: Readonly<Record<Plan, string>> = {
  free: "FREE",
  pro: "PRO",
  business: "BIZ",
  enterprise: "ENT",
};

/** The fields of a request, as data for `createContext`. */
export function fieldsOf(request: DescribedRequest, parts: UrlParts): Record<string, unknown> {
  const { method, protocol = "HTTP/1.1", urlNormalization = defaultUrlNormalization } = request;
  const body = startOfText(request.body, requestLimits.bodyOctetsMax);
  const headers = headersOf(request, parts);
  const media = valueOfHeader(headers, "content-type").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isForm = media === "application/x-www-form-urlencoded";
  return {
    ssl: parts.isSecure,
    "ip.src": request.address,
    "cf.zone.name": request.zone.name,
    "cf.zone.plan": planNames[request.zone.plan],
    "http.host": parts.host,
    "http.request.method": method,
    "http.request.version": protocol,
    "http.request.timestamp.sec": request.time,
    "http.request.timestamp.msec": 0,
    ...headerFields(headers),
    ...uriFields("http.request", parts, incomingPath(parts.path, urlNormalization)),
    ...uriFields("raw.http.request", parts, parts.path),
    "http.request.body.raw": body,
    "http.request.body.size": octetsOf(request.body),
    "http.request.body.truncated": body.length < request.body.length,
    "http.request.body.mime": media,
    ...pairFields("http.request.body.form", isForm ? argumentPairs(body) : []),
    ...request.known,
  };
}

/** The fields that follow from the headers of a request, with names in lower case. */
export function headerFields(headers: readonly Header[]): Record<string, unknown> {
  const cookies = valueOfHeader(headers, "cookie");
  return {
    "http.cookie": cookies,
    "http.referer": valueOfHeader(headers, "referer"),
    "http.user_agent": valueOfHeader(headers, "user-agent"),
    "http.x_forwarded_for": valueOfHeader(headers, "x-forwarded-for"),
    ...pairFields("http.request.headers", headers),
    "http.request.headers.truncated": false,
    "http.request.accepted_languages": valueOfHeader(headers, "accept-language")
      .split(",")
      .map((part) => part.split(";", 1)[0]?.trim() ?? "")
      .filter((language) => language !== ""),
    "http.request.cookies": groupPairs(cookiePairs(cookies)),
  };
}

/** The request with another path or query, which later stages see. Its raw fields stay. */
export function withUri(
  request: RequestContext,
  { path, query }: { readonly path: string | undefined; readonly query: string | undefined },
): RequestContext {
  const parts = {
    isSecure: valueOf(request, "ssl") === true,
    host: fieldText(request, "http.host"),
    query: query ?? fieldText(request, "http.request.uri.query"),
  };
  return withFields(
    request,
    uriFields("http.request", parts, path ?? fieldText(request, "http.request.uri.path")),
  );
}

/** The text of a field; empty where it is missing. */
export function fieldText(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}

function valueOfHeader(headers: readonly Header[], name: string): string {
  return headers.flatMap(([other, value]) => (other === name ? [value] : [])).join(", ");
}

function uriFields(prefix: string, { isSecure, host, query }: Omit<UrlParts, "path">, path: string) {
  const uri = query === "" ? path : `${path}?${query}`;
  return {
    [`${prefix}.full_uri`]: `${isSecure ? "https" : "http"}://${host}${uri}`,
    [`${prefix}.uri`]: uri,
    [`${prefix}.uri.path`]: path,
    [`${prefix}.uri.path.extension`]: extensionOf(path),
    [`${prefix}.uri.query`]: query,
    ...pairFields(`${prefix}.uri.args`, argumentPairs(query)),
  };
}

/** Values by name, and all names and values in order, with repetitions. */
export function pairFields(field: string, pairs: readonly Header[]) {
  return {
    [field]: groupPairs(pairs),
    [`${field}.names`]: pairs.map(([name]) => name),
    [`${field}.values`]: pairs.map(([, value]) => value),
  };
}

function headersOf(request: DescribedRequest, { host }: UrlParts): Header[] {
  const cookies = Object.entries(request.cookies).map(([name, value]) => `${name}=${value}`);
  const pairs = sentHeaders(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const names = new Set(pairs.map(([name]) => name));
  return [
    ...(names.has("host") ? [] : ([["host", host]] as const)),
    ...pairs,
    ...(cookies.length > 0 ? ([["cookie", cookies.join("; ")]] as const) : []),
    ...(request.bodyType !== undefined && !names.has("content-type")
      ? ([["content-type", request.bodyType]] as const)
      : []),
  ];
}

/** The headers of a request in their order, as they are described. */
export function sentHeaders(headers: DescribedRequest["headers"]): readonly Header[] {
  return isPairs(headers) ? headers : Object.entries(headers);
}

function isPairs(headers: DescribedRequest["headers"]): headers is readonly Header[] {
  return Array.isArray(headers);
}

function cookiePairs(header: string): Header[] {
  return header
    .split(/;\s*|,\s+/)
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decoded(name.trim()), value.join("=")];
    });
}

/** The parameters of a query or form as written, in order. */
function argumentPairs(text: string): Header[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name, value.join("=")];
    });
}

function groupPairs(pairs: readonly Header[]): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(Array.from(groups, ([name, group]) => [name, group.map(([, value]) => value)]));
}

/** In lower case without the dot; empty where the only dot comes first or last. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Percent-decoded if every escape is valid. Without exceptions, as a header may have thousands of escapes. */
function decoded(text: string): string {
  if (!text.includes("%") || /%(?![0-9A-Fa-f]{2})/.test(text)) return text;
  const bytes = encodeText(text).replaceAll(/%(..)/g, (_, octet: string) =>
    String.fromCharCode(Number.parseInt(octet, 16)),
  );
  const resolved = lenient.decode(toOctets(bytes));
  // Otherwise it is not UTF-8.
  return encodeText(resolved) === bytes ? resolved : text;
}
