import { isIP } from "node:net";

import type { RuleRequest } from "../core/seclang/evaluate/request.ts";
import { valuesOf, type Header } from "../core/transforms/request-headers.ts";

/** A request of a visitor that the edge and an origin cannot read differently (request smuggling). */
export interface VisitorRequest {
  readonly method: string;
  readonly isSecure: boolean;
  /** As the `Host` header has it, in lower case. */
  readonly host: string;
  /** The same without a port and without a final dot. */
  readonly hostname: string;
  readonly path: string;
  readonly query: string;
  readonly protocol: "HTTP/1.0" | "HTTP/1.1" | "HTTP/2";
  /** In their order, without pseudo-headers. */
  readonly headers: readonly Header[];
  /** As Node parsed it. */
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
}

/** A request is malformed, or asks for something that the edge does not support. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const targetLengthMax = 16_384;
const hostForm = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)(?::\d{1,5})?$/;

/** Throws RequestRefused. */
export function readVisitorRequest(request: IncomingRequest, isSecure: boolean): VisitorRequest {
  const { method = "", url: target = "", httpVersion } = request;
  const isHttp2 = httpVersion.startsWith("2");
  const { headers, authority } = headersOf(request.rawHeaders);
  if (method === "TRACE") throw new RequestRefused(405, "TRACE is not allowed");
  if (target.length > targetLengthMax) throw new RequestRefused(414, "The target of the request is too long");
  const hosts = valuesOf(headers, "host").map((value) => value.toLowerCase());
  const given = authority === undefined ? hosts : [authority.toLowerCase(), ...hosts];
  const [host = ""] = given;
  if (given.length > (isHttp2 ? 2 : 1) || given.some((one) => one !== host)) {
    throw new RequestRefused(400, "The request names more than one host");
  }
  const [, address, name] = hostForm.exec(host) ?? [];
  const hostname = address ?? name;
  if (hostname === undefined || (address !== undefined && isIP(address) !== 6)) {
    throw new RequestRefused(400, "The host of the request is not valid");
  }
  const { path, query } = partsOf(target, host);
  return {
    method,
    isSecure,
    host,
    hostname,
    path,
    query,
    protocol: isHttp2 ? "HTTP/2" : httpVersion === "1.0" ? "HTTP/1.0" : "HTTP/1.1",
    headers: authority === undefined || hosts.length > 0 ? headers : [["host", host], ...headers],
    received: request,
    ...bodyOf(headers, httpVersion),
  };
}

/** A request as the Core Rule Set judges it; the `:authority` of HTTP/2 is its `Host`. */
export function receivedRequest(
  { method, received }: VisitorRequest,
  body: string,
  remoteAddress: string,
): RuleRequest {
  const { url: target = "", httpVersion, rawHeaders: raw } = received;
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (name === ":authority") headers.push({ name: "Host", value });
    else if (!name.startsWith(":")) headers.push({ name, value });
  }
  return { method, target, protocol: `HTTP/${httpVersion}`, headers, body, remoteAddress };
}

function headersOf(raw: readonly string[]): { headers: Header[]; authority: string | undefined } {
  const headers: Header[] = [];
  let authority: string | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    if (name === ":authority") authority = value;
    if (!name.startsWith(":")) headers.push([name, value]);
  }
  return { headers, authority };
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

/** Node refuses most ambiguous framing; this refuses the rest. */
function bodyOf(
  headers: readonly Header[],
  httpVersion: string,
): Pick<VisitorRequest, "hasBody" | "bodyLength"> {
  const codings = valuesOf(headers, "transfer-encoding");
  if (codings.length > 0) {
    if (httpVersion !== "1.1") throw new RequestRefused(400, "Transfer-Encoding needs HTTP/1.1");
    if (codings.join(",").trim().toLowerCase() !== "chunked") {
      throw new RequestRefused(501, "The only transfer coding of requests is chunked");
    }
    return { hasBody: true, bodyLength: undefined };
  }
  const [length, ...others] = valuesOf(headers, "content-length");
  if (others.length > 0 || (length !== undefined && !/^\d{1,15}$/.test(length))) {
    throw new RequestRefused(400, "The Content-Length is not valid");
  }
  if (length === undefined) return { hasBody: httpVersion.startsWith("2"), bodyLength: undefined };
  return { hasBody: Number(length) > 0, bodyLength: Number(length) };
}
