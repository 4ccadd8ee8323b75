import { encodeText, octetsOf, startOfText, toOctets } from "../expression/byte-string.ts";
import type { Plan } from "../expression/phases.ts";
import { requestLimits } from "./request-limits.ts";

/** The description of a request. */
export interface DescribedRequest {
  readonly method: string;
  /** Absolute, `https://example.com/path?query`. */
  readonly url: string;
  /** `HTTP/1.1` where it is left out. */
  readonly protocol?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: string;
  /** The media type of the body, unless a header names one. */
  readonly bodyType?: string;
  readonly zone: { readonly name: string; readonly plan: Plan };
  readonly address: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Values of fields that do not follow from the request, such as `ip.src.country`. */
  readonly known: Readonly<Record<string, unknown>>;
}

interface UrlParts {
  readonly isSecure: boolean;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The parts of a URL as they are written, neither decoded nor normalized. Undefined if it is not a URL. */
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

/** What a request holds, by the names of fields: data for `createContext`. */
export function fieldsOf(request: DescribedRequest, parts: UrlParts): Record<string, unknown> {
  const { method, protocol = "HTTP/1.1" } = request;
  const body = startOfText(request.body, requestLimits.bodyOctetsMax);
  const headerPairs = headersOf(request, parts);
  const headers = groupPairs(headerPairs);
  const header = (name: string): string => headers[name]?.join(", ") ?? "";
  const media = header("content-type").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isForm = media === "application/x-www-form-urlencoded";
  return {
    ssl: parts.isSecure,
    "ip.src": request.address,
    "cf.zone.name": request.zone.name,
    "cf.zone.plan": planNames[request.zone.plan],
    "http.host": parts.host,
    "http.cookie": header("cookie"),
    "http.referer": header("referer"),
    "http.user_agent": header("user-agent"),
    "http.x_forwarded_for": header("x-forwarded-for"),
    "http.request.method": method,
    "http.request.version": protocol,
    "http.request.timestamp.sec": request.time,
    "http.request.timestamp.msec": 0,
    ...pairFields("http.request.headers", headerPairs),
    "http.request.headers.truncated": false,
    "http.request.accepted_languages": header("accept-language")
      .split(",")
      .map((part) => part.split(";", 1)[0]?.trim() ?? "")
      .filter((language) => language !== ""),
    "http.request.cookies": groupPairs(cookiePairs(header("cookie"))),
    ...uriFields("http.request", parts, normalizePath(parts.path)),
    ...uriFields("raw.http.request", parts, parts.path),
    "http.request.body.raw": body,
    "http.request.body.size": octetsOf(request.body),
    "http.request.body.truncated": body.length < request.body.length,
    "http.request.body.mime": media,
    ...pairFields("http.request.body.form", isForm ? argumentPairs(body) : []),
    ...request.known,
  };
}

function uriFields(prefix: string, { isSecure, host, query }: UrlParts, path: string) {
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

type Pair = readonly [name: string, value: string];

/** The values by name, and all names and all values in the order of the request, repeated ones included. */
function pairFields(field: string, pairs: readonly Pair[]) {
  return {
    [field]: groupPairs(pairs),
    [`${field}.names`]: pairs.map(([name]) => name),
    [`${field}.values`]: pairs.map(([, value]) => value),
  };
}

function headersOf(request: DescribedRequest, { host }: UrlParts): Pair[] {
  const cookies = Object.entries(request.cookies).map(([name, value]) => `${name}=${value}`);
  const pairs = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
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

function cookiePairs(header: string): Pair[] {
  return header
    .split(/;\s*|,\s+/)
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decoded(name.trim()), value.join("=")];
    });
}

/** The parameters of a query or a form, in their order, as they are written. */
function argumentPairs(text: string): Pair[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name, value.join("=")];
    });
}

function groupPairs(pairs: readonly Pair[]): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(Array.from(groups, ([name, group]) => [name, group.map(([, value]) => value)]));
}

/** In lower case and without its dot; empty for names that begin or end with the only dot. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Unreserved characters decoded, dot segments and repeated slashes removed (RFC 3986 6.2.2). */
function normalizePath(path: string): string {
  const unescaped = path
    .replaceAll("\\", "/")
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
    })
    .replaceAll(/\/{2,}/g, "/");
  const segments: string[] = [];
  const parts = unescaped.split("/").slice(1);
  for (const [index, segment] of parts.entries()) {
    const isDots = segment === "." || segment === "..";
    if (segment === "..") segments.pop();
    if (!isDots) segments.push(segment);
    else if (index === parts.length - 1) segments.push("");
  }
  return `/${segments.join("/")}`;
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Escapes resolved, unless one is malformed. Nothing is thrown and caught: one header may hold thousands of them. */
function decoded(text: string): string {
  if (!text.includes("%") || /%(?![0-9A-Fa-f]{2})/.test(text)) return text;
  const bytes = encodeText(text).replaceAll(/%(..)/g, (_, octet: string) =>
    String.fromCharCode(Number.parseInt(octet, 16)),
  );
  const resolved = lenient.decode(toOctets(bytes));
  // What is no UTF-8 does not come out as it went in.
  return encodeText(resolved) === bytes ? resolved : text;
}
