import { isWithin } from "../dns/content/name.ts";
import { decodeText } from "../expression/byte-string.ts";
import { valueOf, type RequestContext, textOf } from "../expression/context.ts";

/**
 * The URL pattern of a page rule. In host and path `*` stands for any characters. [Case does not
 * matter](https://developers.cloudflare.com/rules/page-rules/reference/additional-reference/#page-rules-are-case-insensitive).
 */
export interface UrlPattern {
  /** If undefined, both schemes match. */
  readonly scheme: "http" | "https" | undefined;
  readonly host: string;
  readonly port: number | undefined;
  /** The path in lower case; `/` by default. */
  readonly path: string;
  readonly hasQuery: boolean;
}

const asterisksMax = 4;
const ports = new Set([80, 443, 8080, 8443]);

/**
 * Parses a pattern whose host has to lie within a zone; returns an `Error` with the violated rule if it is
 * invalid.
 */
export function parseUrlPattern(text: string, zoneName: string): UrlPattern | Error {
  const pattern = parseAnyUrlPattern(text);
  if (pattern instanceof Error || isWithinZone(pattern.host, zoneName)) return pattern;
  return new Error(`must be within the zone ${zoneName}`);
}

export function parseAnyUrlPattern(text: string): UrlPattern | Error {
  const parts = /^(?:(\*|https?):\/\/)?([^/:?#\s]+)(?::(\d{1,5}))?(\/[!-~]*)?$/i.exec(text);
  if (parts === null) return new Error("must be a URL pattern such as *example.com/images/*");
  const [, scheme, givenHost = "", port, path = "/"] = parts;
  const host = givenHost.toLowerCase();
  if (text.split("*").length - 1 > asterisksMax) {
    return new Error(`must hold at most ${asterisksMax} asterisks`);
  }
  if (!/^[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?(\.[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?)*$/.test(host)) {
    return new Error("must name a host");
  }
  if (port !== undefined && !ports.has(Number(port))) {
    return new Error("must name one of the ports 80, 443, 8080 and 8443");
  }
  return {
    scheme: scheme === undefined || scheme === "*" ? undefined : (scheme.toLowerCase() as "http" | "https"),
    host,
    port: port === undefined ? undefined : Number(port),
    path: path.toLowerCase(),
    hasQuery: path.includes("?"),
  };
}

/** `example.com`, `*.example.com` and `*example.com` are within `example.com`; `*.com` is not. */
function isWithinZone(host: string, zoneName: string): boolean {
  return isWithin(host, zoneName) || host.endsWith(`*${zoneName}`);
}

/**
 * Whether some host of the zone may match the pattern: `*.com` may match one of `example.com`, `example.org`
 * none.
 */
export function mayMatchInZone({ host }: UrlPattern, zoneName: string): boolean {
  const end = host.slice(host.lastIndexOf("*") + 1);
  return isWithinZone(host, zoneName) || (end !== host && zoneName.endsWith(end));
}

export interface RequestUrl {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * Whether the pattern matches the URL. `*.example.com/*` does not match `example.com`, `*example.com/*` does.
 */
export function matchesUrl(pattern: UrlPattern, url: RequestUrl): boolean {
  return (
    (pattern.scheme === undefined || pattern.scheme === url.scheme) &&
    (pattern.port === undefined || pattern.port === url.port) &&
    matchesGlob(pattern.host, url.host) &&
    matchesGlob(pattern.path, inLowerCase(pathOf(url, pattern.hasQuery)))
  );
}

/** The text that each asterisk of a matching pattern stands for; one at the end also stands for the query. */
export function asteriskParts(pattern: UrlPattern, url: RequestUrl): string[] {
  const text = pathOf(url, pattern.hasQuery || pattern.path.endsWith("*"));
  return [...partsOf(pattern.host, url.host), ...partsOf(pattern.path, text)];
}

function pathOf({ path, query }: RequestUrl, hasQuery: boolean): string {
  return hasQuery && query !== "" ? `${path}?${query}` : path;
}

/** Lower-cases ASCII letters only, so that every character keeps its place. */
function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The texts for the asterisks of a glob that matches. Every asterisk but the last matches as little as
 * possible.
 */
function partsOf(glob: string, text: string): string[] {
  const [first = "", ...rest] = glob.split("*");
  const lower = inLowerCase(text);
  let from = first.length;
  return rest.map((fixed, index) => {
    const end = index === rest.length - 1 ? text.length - fixed.length : lower.indexOf(fixed, from);
    const part = text.slice(from, end);
    from = end + fixed.length;
    return part;
  });
}

/** Whether a glob matches. The time is at most proportional to the product of both lengths. */
export function matchesGlob(glob: string, text: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return glob === text;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return from <= end && text.endsWith(last);
}

/** The URL of a request, in the letter case that the visitor sent. */
export function requestUrlOf(request: RequestContext): RequestUrl {
  const text = (field: string): string => {
    const bytes = textOf(request, field);
    return decodeText(bytes) ?? bytes;
  };
  return {
    scheme: valueOf(request, "ssl") === true ? "https" : "http",
    host: text("http.host"),
    port: Number(valueOf(request, "cf.edge.server_port")),
    path: text("http.request.uri.path"),
    query: text("http.request.uri.query"),
  };
}
