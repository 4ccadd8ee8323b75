import { encodeText } from "../expression/byte-string.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import type { Header } from "../transforms/request-headers.ts";

/** A request to evaluate. Headers and body are byte strings. */
export interface DescribedRequest {
  readonly method: string;
  /** `HTTP/1.1` by default. */
  readonly protocol?: string;
  /** In order, `Host` included, with names in any case. */
  readonly headers: readonly Header[];
  readonly body: string;
  readonly isBodyCut?: boolean;
  /** Whether the body is still to be read: what depends on it throws BodyUnread. */
  readonly isBodyUnread?: boolean;
  /** Octets of the whole body, as far as known; by default the length of `body`. */
  readonly bodySize?: number | undefined;
  readonly address: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Milliseconds of that second; 0 by default. */
  readonly msec?: number;
  /** Undefined where it is not known how the request came. */
  readonly connection?: () => Connection;
  /** Octets at random, the same at each call. */
  readonly seed?: () => string;
  /** Without the data centre; left out for requests that were never answered. */
  readonly rayId?: string;
  /** The request as received, for the Core Rule Set; made from the other members if it is left out. */
  readonly received?: () => RuleRequest;
  /** Values of fields that the request does not determine, such as `ip.src.country`. */
  readonly known?: Readonly<Record<string, unknown>>;
}

export interface Connection {
  readonly serverAddress: string | undefined;
  /** `TLSv1.3`; empty without TLS. */
  readonly tlsVersion: string;
  /** OpenSSL's name; ciphers of TLS 1.3 come with `AEAD`. Empty without TLS. */
  readonly tlsCipher: string;
}

/** Thrown where rules need a body that is still to be read. */
export class BodyUnread extends Error {
  override readonly name = "BodyUnread";
}

/** Throws BodyUnread. */
export function bodyOf({ body, isBodyUnread }: Pick<DescribedRequest, "body" | "isBodyUnread">): string {
  if (isBodyUnread === true) throw new BodyUnread();
  return body;
}

export interface UrlParts {
  readonly isSecure: boolean;
  /** The name alone: lower case, without a port and without a final dot. */
  readonly host: string;
  /** At which the request was received. */
  readonly port: number;
  readonly path: string;
  readonly query: string;
}

/** The port of a scheme that a URL leaves out. */
export function schemePort(isSecure: boolean): number {
  return isSecure ? 443 : 80;
}

/** The parts of a URL as written; undefined for other texts. */
export function splitUrl(url: string): UrlParts | undefined {
  const [, scheme = "", authority = "", path = "", query = ""] =
    /^(https?):\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const [, host = "", port] = /^(.*?)\.?(?::(\d{1,5}))?$/.exec(authority.toLowerCase()) ?? [];
  if (host === "") return undefined;
  const isSecure = scheme.toLowerCase() === "https";
  return {
    isSecure,
    host,
    port: port === undefined ? schemePort(isSecure) : Number(port),
    path: path === "" ? "/" : path,
    query,
  };
}

/** The host as clients send it: without the port of the scheme. */
export function authorityOf({ isSecure, host, port }: UrlParts): string {
  return port === schemePort(isSecure) ? host : `${host}:${port}`;
}

export interface RequestText {
  /** By name, or in their order. */
  readonly headers: Readonly<Record<string, string>> | readonly Header[];
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: string;
  /** Media type of the body, unless there is a header. */
  readonly bodyType?: string;
}

/** Headers and body of a request as a client would send them. */
export function describeText(
  { headers, cookies, body, bodyType }: RequestText,
  parts: UrlParts,
): Pick<DescribedRequest, "headers" | "body"> {
  const written = Array.isArray(headers) ? (headers as readonly Header[]) : Object.entries(headers);
  const names = new Set(written.map(([name]) => name.toLowerCase()));
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const all: Header[] = [
    ...(names.has("host") ? [] : ([["Host", authorityOf(parts)]] as const)),
    ...written,
    ...(pairs.length > 0 ? ([["Cookie", pairs.join("; ")]] as const) : []),
    ...(bodyType === undefined || names.has("content-type") ? [] : ([["Content-Type", bodyType]] as const)),
  ];
  return {
    headers: all.map(([name, value]): Header => [encodeText(name), encodeText(value)]),
    body: encodeText(body),
  };
}
