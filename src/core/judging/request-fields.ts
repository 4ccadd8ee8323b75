import { decodeText, encodeText, lowerAscii, toOctets, trimBlanks } from "../expression/byte-string.ts";
import {
  fieldMakers,
  RequestContext,
  valueOf,
  withFields,
  withMade,
  type ListTest,
  type PartJudge,
  type Value,
} from "../expression/context.ts";
import { otherwiseBySlot } from "../expression/field-values.ts";
import type { Plan } from "../expression/phases.ts";
import { parseIpAddress } from "../net/ip-address.ts";
import {
  headersOfPart,
  parametersOf,
  splitMultipart,
  type MultipartPart,
} from "../seclang/bodies/multipart.ts";
import { valueIn, valuesOf, type Header } from "../transforms/request-headers.ts";
import { incomingPath, type UrlNormalization } from "../transforms/url-normalization.ts";
import { bodyOf, type DescribedRequest, type UrlParts } from "./described-request.ts";

/** Limits of requests that are evaluated without being sent: recorded or traced ones. */
export const requestLimits = {
  /** Characters. */
  urlLengthMax: 8_192,
  headerNameLengthMax: 255,
  headerValueLengthMax: 8_192,
  /** Characters of all headers and cookies together. */
  headersLengthMax: 131_072,
  /** Octets; the rest is not evaluated. */
  bodyOctetsMax: 131_072,
} as const;

interface RequestHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

/** A part of a request that is too long, and the violated rule. */
interface ExcessivePart {
  readonly part: "url" | "headers" | "cookies";
  readonly rule: string;
}

/** Undefined within the limits. */
export function excessivePart({ url, headers, cookies }: RequestHead): ExcessivePart | undefined {
  const { urlLengthMax, headersLengthMax } = requestLimits;
  if (url.length > urlLengthMax) return { part: "url", rule: `must have at most ${urlLengthMax} characters` };
  let length = 0;
  for (const [part, pairs] of [
    ["headers", headers],
    ["cookies", cookies],
  ] as const) {
    for (const [name, value] of Object.entries(pairs)) {
      if (isTooLong(name, value)) return { part, rule: pairRule };
      length += name.length + value.length;
    }
    if (length > headersLengthMax) {
      return { part, rule: `must have at most ${headersLengthMax} characters together` };
    }
  }
  return undefined;
}

const { headerNameLengthMax, headerValueLengthMax } = requestLimits;
const pairRule = `must have names of at most ${headerNameLengthMax} and values of at most ${headerValueLengthMax} characters`;

function isTooLong(name: string, value: string): boolean {
  return name.length > headerNameLengthMax || value.length > headerValueLengthMax;
}

/** The properties of a zone that its rules can read. */
export interface ZoneOfRequest {
  readonly zone: { readonly name: string; readonly plan: Plan };
  readonly urlNormalization: UrlNormalization;
}

type Fields<Source> = Readonly<Record<string, (source: Source) => Value | undefined>>;

const planNames: Readonly<Record<Plan, string>> = {
  free: "FREE",
  pro: "PRO",
  business: "BIZ",
  enterprise: "ENT",
};

const ofHeaders: Fields<readonly Header[]> = {
  "http.cookie": cookiesOf,
  "http.referer": (headers) => valueIn(headers, "referer"),
  "http.user_agent": (headers) => valueIn(headers, "user-agent"),
  "http.x_forwarded_for": (headers) => valueIn(headers, "x-forwarded-for"),
  ...fieldsOfPairs("http.request.headers", (headers: readonly Header[]) => headers),
  "http.request.headers.truncated": () => false,
  "http.request.accepted_languages": (headers) => languagesOf(valueIn(headers, "accept-language")),
  "http.request.cookies": (headers) => groupPairs(cookiePairs(cookiesOf(headers))),
};

const ofUrl = fieldsOfUrl("http.request");

/** A request with the values that several of its fields are made from. */
class SeenRequest {
  readonly request: DescribedRequest;
  readonly zone: ZoneOfRequest;
  readonly rawUrl: UrlParts;
  #url: UrlParts | undefined;
  #headers: readonly Header[] | undefined;

  constructor(request: DescribedRequest, zone: ZoneOfRequest, parts: UrlParts) {
    this.request = request;
    this.zone = zone;
    this.rawUrl = parts;
  }

  get url(): UrlParts {
    const { path } = this.rawUrl;
    return (this.#url ??= { ...this.rawUrl, path: incomingPath(path, this.zone.urlNormalization) });
  }

  get headers(): readonly Header[] {
    return (this.#headers ??= inLowerCase(this.request.headers));
  }

  get body(): string {
    return bodyOf(this.request).slice(0, requestLimits.bodyOctetsMax);
  }

  get bodySize(): number {
    return this.request.bodySize ?? bodyOf(this.request).length;
  }

  get media(): string {
    return mediaTypeOf(valueIn(this.headers, "content-type"));
  }

  get parts(): readonly MultipartPart[] {
    const type = valueIn(this.headers, "content-type");
    return this.media.startsWith("multipart/") ? (splitMultipart(type, this.body)?.parts ?? []) : [];
  }

  get form(): Header[] {
    return this.media === "application/x-www-form-urlencoded" ? argumentPairs(this.body) : [];
  }
}

const ofRequest = fieldMakers<SeenRequest>({
  ssl: ({ rawUrl }) => rawUrl.isSecure,
  "ip.src": ({ request }) => parseIpAddress(request.address),
  "cf.ray_id": ({ request }) => request.rayId,
  "cf.zone.name": ({ zone }) => zone.zone.name,
  "cf.zone.plan": ({ zone }) => planNames[zone.zone.plan],
  "http.host": ({ rawUrl }) => encodeText(rawUrl.host),
  "cf.edge.server_port": ({ rawUrl }) => rawUrl.port,
  "http.request.method": ({ request }) => encodeText(request.method),
  "http.request.version": ({ request }) => encodeText(request.protocol ?? "HTTP/1.1"),
  "http.request.timestamp.sec": ({ request }) => request.time,
  "http.request.timestamp.msec": ({ request }) => request.msec ?? 0,
  "cf.edge.client_tcp": () => true,
  "cf.edge.server_ip": ({ request }) => parseIpAddress(request.connection?.().serverAddress ?? ""),
  "cf.random_seed": ({ request }) => request.seed?.(),
  "cf.tls_cipher": ({ request }) => request.connection?.().tlsCipher,
  "cf.tls_version": ({ request }) => request.connection?.().tlsVersion,
  ...madeOf(ofHeaders, ({ headers }: SeenRequest) => headers),
  ...madeOf(ofUrl, ({ url }: SeenRequest) => url),
  ...madeOf(fieldsOfUrl("raw.http.request"), ({ rawUrl }: SeenRequest) => rawUrl),
  "http.request.body.raw": ({ body }) => body,
  "http.request.body.size": ({ bodySize }) => bodySize,
  "http.request.body.truncated": ({ body, request }) =>
    request.isBodyCut === true || body.length < request.body.length,
  "http.request.body.mime": ({ media }) => media,
  ...fieldsOfPairs("http.request.body.form", ({ form }: SeenRequest) => form),
  "http.request.body.multipart": ({ parts }) =>
    groupPairs(parts.flatMap((part) => partNames(part).map((name): Header => [name, part.content]))),
  "http.request.body.multipart.names": ({ parts }) => parts.map(partNames),
  "http.request.body.multipart.values": ({ parts }) => parts.map(({ content }) => content),
  "http.request.body.multipart.filenames": ({ parts }) => parts.map((part) => parametersOf(part, "filename")),
  "http.request.body.multipart.content_dispositions": ({ parts }) =>
    parts.map((part) => headersOfPart(part, "content-disposition")),
  "http.request.body.multipart.content_transfer_encodings": ({ parts }) =>
    parts.map((part) => headersOfPart(part, "content-transfer-encoding")),
  "http.request.body.multipart.content_types": ({ parts }) =>
    parts.map((part) => headersOfPart(part, "content-type")),
});

const partNames = (part: MultipartPart): string[] => parametersOf(part, "name");

const headerMakers = fieldMakers(ofHeaders);
const urlMakers = fieldMakers(ofUrl);

/** The fields of a request. Throws a ContextError for unknown or invalid `known` fields. */
export function requestContext(
  request: DescribedRequest,
  zone: ZoneOfRequest,
  parts: UrlParts,
  lists: ReadonlyMap<string, ListTest>,
  judge?: PartJudge,
): RequestContext {
  const seen = new SeenRequest(request, zone, parts);
  const valueAt = (slot: number) => ofRequest[slot]?.(seen) ?? otherwiseBySlot[slot];
  const context = new RequestContext(lists, valueAt, undefined, judge);
  return request.known === undefined ? context : withFields(context, request.known);
}

/** The request with other headers; their names are in lower case. */
export function withHeaders(request: RequestContext, headers: readonly Header[]): RequestContext {
  return withMade(request, headerMakers, headers);
}

/** The request with another path or query for later stages. The raw fields keep their values. */
export function withUri(
  request: RequestContext,
  { path, query }: { readonly path: string | undefined; readonly query: string | undefined },
): RequestContext {
  return withMade(request, urlMakers, {
    isSecure: valueOf(request, "ssl") === true,
    host: fieldText(request, "http.host"),
    path: path ?? fieldText(request, "http.request.uri.path"),
    query: query ?? fieldText(request, "http.request.uri.query"),
  });
}

/** The text of a field; empty where it is missing. */
export function fieldText(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}

function inLowerCase(headers: readonly Header[]): readonly Header[] {
  if (headers.every((header) => lowerAscii(header[0]) === header[0])) return headers;
  return headers.map(([name, value]) => [lowerAscii(name), value]);
}

/** The media type of a `Content-Type` header, in lower case; as origins do, up to a space too. */
export function mediaTypeOf(contentType: string): string {
  return lowerAscii(trimBlanks(contentType).split(/[;,\s]/, 1)[0] ?? "");
}

/** A URL without the port at which it was asked for. */
type SeenUrl = Omit<UrlParts, "port">;

function fieldsOfUrl(prefix: string): Fields<SeenUrl> {
  return {
    [`${prefix}.full_uri`]: (url) =>
      encodeText(`${url.isSecure ? "https" : "http"}://${url.host}${uriOf(url)}`),
    [`${prefix}.uri`]: (url) => encodeText(uriOf(url)),
    [`${prefix}.uri.path`]: ({ path }) => encodeText(path),
    [`${prefix}.uri.path.extension`]: ({ path }) => encodeText(extensionOf(path)),
    [`${prefix}.uri.query`]: ({ query }) => encodeText(query),
    ...fieldsOfPairs(`${prefix}.uri.args`, ({ query }: SeenUrl) => argumentPairs(encodeText(query))),
  };
}

const uriOf = ({ path, query }: SeenUrl): string => (query === "" ? path : `${path}?${query}`);

/** Values by name, and all names and values in order, with repetitions. */
export function fieldsOfPairs<Source>(
  field: string,
  pairsOf: (source: Source) => readonly Header[],
): Fields<Source> {
  return {
    [field]: (source) => groupPairs(pairsOf(source)),
    [`${field}.names`]: (source) => pairsOf(source).map(([name]) => name),
    [`${field}.values`]: (source) => pairsOf(source).map(([, value]) => value),
  };
}

/** Makes the fields from a part of `Whole`. */
function madeOf<Whole, Part>(parts: Fields<Part>, partOf: (whole: Whole) => Part): Fields<Whole> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, make]) => [name, (whole: Whole) => make(partOf(whole))]),
  );
}

/**
 * Clients may send several headers, although they should not; a comma is a character like others (RFC 6265 section
 * 4.2.1).
 */
function cookiesOf(headers: readonly Header[]): string {
  return valuesOf(headers, "cookie").join("; ");
}

/** The tags of `Accept-Language` from the one that the visitor likes best, without `*`. */
function languagesOf(header: string): string[] {
  const weighed = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.split(";").map(trimBlanks);
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  return weighed
    .filter(({ tag }) => tag !== "" && tag !== "*")
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

function cookiePairs(header: string): Header[] {
  return header
    .split(/;\s*/)
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decoded(trimBlanks(name)), value.join("=")];
    });
}

/** The parameters of a query or form as written, in order. A body may have tens of thousands. */
function argumentPairs(text: string): Header[] {
  const pairs: Header[] = [];
  for (let start = 0; start < text.length;) {
    const separator = text.indexOf("&", start);
    const pair = text.slice(start, separator === -1 ? text.length : separator);
    start += pair.length + 1;
    if (pair === "") continue;
    const sign = pair.indexOf("=");
    pairs.push(sign === -1 ? [pair, ""] : [pair.slice(0, sign), pair.slice(sign + 1)]);
  }
  return pairs;
}

function groupPairs(pairs: readonly Header[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}

/** The file extension in lower case without the dot; empty if the only dot comes first or last. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Percent-decodes the text if every escape is valid. It throws no exceptions, as a header may have thousands
 * of escapes.
 */
function decoded(bytes: string): string {
  if (!bytes.includes("%") || /%(?![0-9A-Fa-f]{2})/.test(bytes)) return bytes;
  const resolved = bytes.replaceAll(/%(..)/g, (_, octet: string) =>
    String.fromCharCode(Number.parseInt(octet, 16)),
  );
  // Otherwise it is not UTF-8.
  return encodeText(lenient.decode(toOctets(resolved))) === resolved ? resolved : bytes;
}
