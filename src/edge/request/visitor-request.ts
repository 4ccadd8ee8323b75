import { METHODS } from "node:http";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";

import { LruMap } from "../../core/lru-map.ts";
import { schemePort, type Connection } from "../../core/judging/described-request.ts";
import type { RuleRequest } from "../../core/seclang/evaluate/request.ts";
import { valueIn, valuesOf, type Header } from "../../core/transforms/request-headers.ts";
import { OwnAnswerDue, refusal } from "../errors/problems.ts";

/** A request of a visitor that the edge and an origin cannot read differently (request smuggling). */
export interface VisitorRequest {
  readonly method: string;
  readonly isSecure: boolean;
  /** The `Host` header in lower case. */
  readonly host: string;
  /** The same without a port and without a final dot: what rules see, as visitors may write any port there. */
  readonly hostname: string;
  /** At which the request was received; that of the scheme where another proxy that describes it does not tell. */
  readonly port: number;
  readonly path: string;
  readonly query: string;
  readonly protocol: "HTTP/1.0" | "HTTP/1.1" | "HTTP/2";
  /** In their order, without pseudo-headers and without those that end with the visitor's connection. */
  readonly headers: readonly Header[];
  /** The request as Node parsed it. */
  readonly received: IncomingRequest;
  /** Undefined without `Content-Length`. */
  readonly bodyLength: number | undefined;
  readonly hasBody: boolean;
}

/** The members of a request that Node has for both HTTP/1.1 and HTTP/2. */
export interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  /** Only in HTTP/2. */
  readonly stream?: { readonly endAfterHeaders: boolean };
  /** Undefined for a request that another proxy describes. */
  readonly socket?: VisitorSocket;
}

/** A visitor's connection, as far as known. */
type VisitorSocket = {
  readonly localPort?: number | undefined;
  readonly localAddress?: string | undefined;
} & Partial<Pick<TLSSocket, "getCipher" | "getProtocol">>;

/** Describes the connection of a request for rules. */
export function connectionOf({ socket }: IncomingRequest): Connection {
  const name = socket?.getCipher?.()?.name ?? "";
  return {
    serverAddress: socket?.localAddress?.replace(/^::ffff:/i, ""),
    tlsVersion: socket?.getProtocol?.() ?? "",
    tlsCipher: aeadNames.get(name) ?? name,
  };
}

/** The public service names ciphers of TLS 1.3 as BoringSSL does. */
const aeadNames: ReadonlyMap<string, string> = new Map([
  ["TLS_AES_128_GCM_SHA256", "AEAD-AES128-GCM-SHA256"],
  ["TLS_AES_256_GCM_SHA384", "AEAD-AES256-GCM-SHA384"],
  ["TLS_CHACHA20_POLY1305_SHA256", "AEAD-CHACHA20-POLY1305-SHA256"],
]);

/** A request is malformed, or asks for something that the edge does not support. */
export class RequestRefused extends OwnAnswerDue {
  override readonly name = "RequestRefused";

  constructor(status: number, message: string) {
    super(refusal({ status, message }), message);
  }
}

/** The methods that Node.js takes in HTTP/1.1; in HTTP/2 it would take any token. */
const knownMethods: ReadonlySet<string> = new Set(METHODS);
/** The public service forwards every other method. */
const refusedMethods: ReadonlySet<string> = new Set(["CONNECT", "PURGE", "TRACE"]);
/**
 * Headers that have a single value (RFC 9110). One that is there twice could be two different ones for rules and for an
 * origin; no client may send it so (section 5.3).
 */
const singletons: ReadonlySet<string> = new Set([
  "authorization",
  "content-location",
  "content-range",
  "content-type",
  "date",
  "from",
  "if-modified-since",
  "if-range",
  "if-unmodified-since",
  "max-forwards",
  "origin",
  "proxy-authorization",
  "range",
  "referer",
  "user-agent",
]);
const quoted = /"(?:[^"\\]|\\.)*(?:"|$)/gs;
/** Octets of all headers of a request. */
export const headerBytesMax = 32 * 1024;
/** Octets that each header counts for in HTTP/2 beside its own (RFC 9113 section 6.5.2). */
export const headerOverhead = 32;
const targetLengthMax = 16_384;
const portMax = 65_535;
const hostForm = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)(?::(\d{1,5}))?$/;

/** Throws RequestRefused. */
export function readVisitorRequest(request: IncomingRequest, isSecure: boolean): VisitorRequest {
  const { method = "" } = request;
  const protocol = protocolOf(request);
  if (!knownMethods.has(method)) throw new RequestRefused(400, "The method of the request is not known");
  if (refusedMethods.has(method)) throw new RequestRefused(405, `${method} is not allowed`);
  const target = inAscii(request.url ?? "");
  if (target.length > targetLengthMax) throw new RequestRefused(414, "The target of the request is too long");
  if (protocol === "HTTP/2" && listSizeOf(request.rawHeaders) > headerBytesMax)
    throw new RequestRefused(431, "The headers of the request are too long");
  const received = headersOf(rawHeadersOf(request));
  const { headers, hosts, authority } = received;
  refuseRepeated(headers);
  const host = (authority ?? hosts[0] ?? "").toLowerCase();
  const isAmbiguous = hosts.length > 1 || (authority !== undefined && protocol !== "HTTP/2");
  if (isAmbiguous || (hosts[0] ?? host).toLowerCase() !== host) {
    throw new RequestRefused(400, "The request names more than one host");
  }
  const { path, query } = partsOf(target, host);
  const bodyLength = bodyLengthOf(received, protocol);
  const isOfAnyLength =
    received.codings.length > 0 || (protocol === "HTTP/2" && request.stream?.endAfterHeaders !== true);
  return {
    method,
    isSecure,
    host,
    hostname: readHostname(host),
    port: request.socket?.localPort ?? schemePort(isSecure),
    path,
    query,
    protocol,
    headers: withoutListed(hosts.length > 0 ? headers : [["host", host], ...headers]),
    received: request,
    bodyLength,
    hasBody: bodyLength === undefined ? isOfAnyLength : bodyLength > 0,
  };
}

/** Node.js also takes requests in HTTP/1.1 whose line names another version. Throws RequestRefused. */
function protocolOf({ stream, httpVersion }: IncomingRequest): VisitorRequest["protocol"] {
  if (stream !== undefined) return "HTTP/2";
  if (httpVersion === "1.0" || httpVersion === "1.1") return `HTTP/${httpVersion}`;
  const status = httpVersion.startsWith("0") ? 400 : 505;
  throw new RequestRefused(
    status,
    `The version of the request line, HTTP/${httpVersion}, is not served here`,
  );
}

/** The size of a list of headers (RFC 9113 section 6.5.2). */
function listSizeOf(raw: readonly string[]): number {
  let size = (raw.length / 2) * headerOverhead;
  for (const text of raw) size += text.length;
  return size;
}

/** A target whose octets beyond ASCII, which HTTP/2 and nginx take from visitors, are escaped as browsers do it. */
function inAscii(target: string): string {
  return target.replaceAll(
    /[\u0080-\u00ff]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The name or IP address of a host, without a final dot. */
function readHostname(host: string): string {
  const [, address, name, digits] = hostForm.exec(host) ?? [];
  const hostname = address ?? name;
  const isValid = address === undefined || isIP(address) === 6;
  if (hostname === undefined || !isValid || Number(digits ?? 0) > portMax) {
    throw new RequestRefused(400, "The host of the request is not valid");
  }
  return hostname;
}

/** A request as the Core Rule Set judges it; the `:authority` of HTTP/2 is its `Host`. */
export function receivedRequest(
  { method, received }: VisitorRequest,
  body: string,
  remoteAddress: string,
): RuleRequest {
  const { url: target = "", httpVersion } = received;
  const raw = rawHeadersOf(received);
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (name === ":authority") headers.push({ name: "Host", value });
    else if (!name.startsWith(":")) headers.push({ name, value });
  }
  return { method, target, protocol: `HTTP/${httpVersion}`, headers, body, remoteAddress };
}

/**
 * Names and values in turn. Clients of HTTP/2 may send each cookie as a header of its own; outside of it there
 * is only one (RFC 9113 section 8.2.3). White space around a value, which some of them send, is no part of it
 * (RFC 9110 section 5.5).
 */
function rawHeadersOf({ stream, rawHeaders: raw }: IncomingRequest): readonly string[] {
  if (stream === undefined) return raw;
  const joined: string[] = [];
  let cookieAt: number | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = withoutMargins(raw[at + 1] ?? "");
    if (name === "cookie" && cookieAt !== undefined) joined[cookieAt] += `; ${value}`;
    else {
      if (name === "cookie") cookieAt = joined.length + 1;
      joined.push(name, value);
    }
  }
  return joined;
}

/** A value without the spaces and tabs around it. */
function withoutMargins(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isMargin(value.charCodeAt(start))) start += 1;
  while (end > start && isMargin(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

const isMargin = (code: number): boolean => code === 0x20 || code === 0x09;

/** The headers of a request, with the values of those that say where it goes and how long it is. */
interface ReceivedHeaders {
  readonly headers: Header[];
  readonly hosts: string[];
  readonly lengths: string[];
  readonly codings: string[];
  /** The pseudo-header of HTTP/2. */
  authority: string | undefined;
}

function headersOf(raw: readonly string[]): ReceivedHeaders {
  const received: ReceivedHeaders = {
    headers: [],
    hosts: [],
    lengths: [],
    codings: [],
    authority: undefined,
  };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    if (name === ":authority") received.authority = value;
    if (name.startsWith(":")) continue;
    received.headers.push([name, value]);
    if (name === "host") received.hosts.push(value);
    else if (name === "content-length") received.lengths.push(value);
    else if (name === "transfer-encoding") received.codings.push(value);
  }
  return received;
}

/** A list in one header says the same as the header twice. */
function refuseRepeated(headers: readonly Header[]): void {
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    if (!singletons.has(name)) continue;
    if (seen.has(name)) throw new RequestRefused(400, `The request has more than one ${name}`);
    seen.add(name);
    if (name === "content-type" && value.replaceAll(quoted, "").includes(","))
      throw new RequestRefused(400, "The request has a list of content types");
  }
}

/** A host in the target must be that of the request (RFC 9112 section 3.2.2). */
function partsOf(target: string, host: string): { readonly path: string; readonly query: string } {
  if (target.includes("#")) throw new RequestRefused(400, "The target of the request has a fragment");
  const [, authority, rest = target] = target.startsWith("/")
    ? []
    : (/^https?:\/\/([^/?]*)(.*)$/i.exec(target) ?? []);
  if (authority !== undefined && authority.toLowerCase() !== host) {
    throw new RequestRefused(400, "The target and the Host header of the request differ");
  }
  const mark = rest.indexOf("?");
  const path = mark === -1 ? rest : rest.slice(0, mark);
  const query = mark === -1 ? "" : rest.slice(mark + 1);
  if (authority !== undefined && path === "") return { path: "/", query };
  if (!path.startsWith("/")) throw new RequestRefused(400, "The target of the request is not a path");
  return { path, query };
}

/**
 * The length of a body, undefined where no header tells it. Node refuses most ambiguous framing; this refuses the
 * rest.
 */
function bodyLengthOf(
  { lengths, codings }: ReceivedHeaders,
  protocol: VisitorRequest["protocol"],
): number | undefined {
  if (codings.length > 0) {
    if (protocol !== "HTTP/1.1") throw new RequestRefused(400, "Transfer-Encoding needs HTTP/1.1");
    if (codings.join(",").trim().toLowerCase() !== "chunked") {
      throw new RequestRefused(501, "The only transfer coding of requests is chunked");
    }
    return undefined;
  }
  const [length, ...others] = lengths;
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length))) {
    throw new RequestRefused(400, "The Content-Length is not valid");
  }
  return length === undefined ? undefined : Number(length);
}

/** Headers of a single connection, whether or not `Connection` lists them (RFC 9110 section 7.6.1). */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Headers that only the edge may set. */
const ofTheEdge = /^(?:cf-|x-(?:cf-|real-ip$|forwarded-(?:proto|host)$)|true-client-ip$)/;

/** Headers without those that a visitor must not forge. */
export function unforged(headers: readonly Header[]): readonly Header[] {
  const isForged = (header: Header): boolean => ofTheEdge.test(header[0]);
  return headers.some(isForged) ? headers.filter((header) => !isForged(header)) : headers;
}

/** Headers without those of the connection. */
export function endToEnd(headers: readonly Header[]): Header[] {
  return withoutListed(headers).filter((header) => !hopByHop.has(header[0]));
}

/** Headers that say where a request goes and has been, whatever `Connection` says of them. */
const neverListed: ReadonlySet<string> = new Set(["host", "cdn-loop"]);

/**
 * Headers without those that `Connection` names, as these end with the connection (RFC 9110 section 7.6.1).
 * Headers that are of a connection by themselves stay, `Upgrade` for one.
 */
export function withoutListed(headers: readonly Header[]): readonly Header[] {
  const listed = valueIn(headers, "connection").toLowerCase();
  if (listed === "" || listed === "keep-alive" || listed === "close") return headers;
  const names = new Set(listed.split(",").map((name) => name.trim()));
  return headers.filter(([name]) => !names.has(name) || hopByHop.has(name) || neverListed.has(name));
}

/** An IPv6 address without its zone (`%eth0`). */
export function withoutZone(address: string): string {
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

const cookiesMax = 4;

/** The values of the first cookies with a name. */
export function cookiesOf({ headers }: Pick<VisitorRequest, "headers">, name: string): string[] {
  const cookies = valuesOf(headers, "cookie").filter((value) => value.includes(name));
  if (cookies.length === 0) return [];
  return cookies
    .flatMap((value) => value.split(";"))
    .flatMap((pair) => {
      const cookie = pair.trim();
      return cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1)] : [];
    })
    .slice(0, cookiesMax);
}

type Qualities = (encoding: string) => number;

/** Visitors send few different values. */
const known = new LruMap<string, Qualities>(100);

/** The quality that `Accept-Encoding` gives an encoding; 0 for one that is not accepted (RFC 9110 section 12.5.3). */
export function encodingQualities(accepted: string): Qualities {
  let qualities = known.get(accepted);
  if (qualities === undefined) known.set(accepted, (qualities = readQualities(accepted)));
  return qualities;
}

function readQualities(accepted: string): Qualities {
  const qualities = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(",")) {
    const [name = "", quality] = entry.includes(";") ? entry.split(";", 2) : [entry];
    qualities.set(name.trim(), quality === undefined ? 1 : qualityOf(quality));
  }
  return (encoding) => qualities.get(encoding) ?? qualities.get("*") ?? 0;
}

const qualityOf = (parameter: string): number => Number(/^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1] ?? 1);
