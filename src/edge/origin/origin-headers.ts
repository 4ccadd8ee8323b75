import { hash } from "node:crypto";
import { isIP } from "node:net";

import { ipv4Octets } from "../../core/net/ip-address.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { encodingQualities } from "../request/accept-encoding.ts";
import type { EdgeSettings } from "../zones/edge-settings.ts";

/** Headers of a single connection, whether or not `Connection` lists them (RFC 9110 section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
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

/** Accepted names of request headers: servers read `a_b` and `a-b` as one. */
const nameForm = /^[a-z0-9-]+$/;

const ofHttp = schemeHeaders("http");
const ofHttps = schemeHeaders("https");

function schemeHeaders(scheme: string): readonly Header[] {
  return [
    ["cf-visitor", JSON.stringify({ scheme })],
    ["x-forwarded-proto", scheme],
  ];
}

interface Visit {
  readonly address: string;
  /** What rules removed. */
  readonly removedHeaders: ReadonlySet<string>;
  readonly country: string | undefined;
  readonly isSecure: boolean;
  readonly ray: string;
  /** Identifies this installation in `CDN-Loop` (RFC 8586). */
  readonly loopToken: string;
}

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
 * Headers without those that `Connection` names, as these end with the connection (RFC 9110 section 7.6.1). Those that are of a
 * connection by themselves stay, `Upgrade` for one.
 */
export function withoutListed(headers: readonly Header[]): readonly Header[] {
  const listed = valueIn(headers, "connection").toLowerCase();
  if (listed === "" || listed === "keep-alive" || listed === "close") return headers;
  const names = new Set(listed.split(",").map((name) => name.trim()));
  return headers.filter(([name]) => !names.has(name) || hopByHop.has(name) || neverListed.has(name));
}

/** Whether a request has already passed through this installation (RFC 8586). */
export function isLoop(headers: readonly Header[], loopToken: string): boolean {
  const passed = valueIn(headers, "cdn-loop");
  return passed !== "" && passed.split(",").some((entry) => entry.split(";", 1)[0]?.trim() === loopToken);
}

/**
 * The headers of a request to its origin, as the rules left them, with the edge's own; without `Host` and
 * those of the body.
 */
export function originHeaders(
  headers: readonly Header[],
  settings: EdgeSettings,
  { address, removedHeaders, country, isSecure, ray, loopToken }: Visit,
): Header[] {
  const sent = headers.filter((header) => !notForwarded.has(header[0]) && nameForm.test(header[0]));
  sent.push(["accept-encoding", acceptedEncodings(valueIn(headers, "accept-encoding"))]);
  sent.push(
    ...addressHeaders(isIP(address) === 0 ? "" : withoutZone(address), headers, settings, removedHeaders),
  );
  if (settings.sendsCountry)
    sent.push(["cf-ipcountry", valueIn(headers, "cf-ipcountry") || (country ?? "XX")]);
  const loop = valueIn(headers, "cdn-loop");
  sent.push(["cf-ray", ray], ...(isSecure ? ofHttps : ofHttp), [
    "cdn-loop",
    loop === "" ? loopToken : `${loop}, ${loopToken}`,
  ]);
  return sent;
}

/**
 * What the origin is told of the visitor's address. Where visitors are hidden, that is only the address of the last of the
 * proxies through which the request came.
 */
function addressHeaders(
  address: string,
  headers: readonly Header[],
  { sendsVisitorAddress, sendsTrueClientIp, pseudoIpv4 }: EdgeSettings,
  removed: ReadonlySet<string>,
): Header[] {
  const forwarded = valueIn(headers, "x-forwarded-for");
  if (!sendsVisitorAddress) return forwarded === "" ? [] : [["x-forwarded-for", address]];
  const pseudo = pseudoIpv4 === "off" || isIP(address) !== 6 ? undefined : pseudoAddress(address);
  const isReplaced = pseudo !== undefined && pseudoIpv4 === "overwrite_header";
  const visitor = isReplaced ? pseudo : address;
  const told: Header[] = [["x-forwarded-for", forwarded === "" ? visitor : `${forwarded}, ${visitor}`]];
  if (!removed.has("cf-connecting-ip")) told.push(["cf-connecting-ip", visitor]);
  if (sendsTrueClientIp && !removed.has("true-client-ip")) told.push(["true-client-ip", visitor]);
  if (isReplaced) told.push(["cf-connecting-ipv6", address]);
  else if (pseudo !== undefined) told.push(["cf-pseudo-ipv4", pseudo]);
  return told;
}

/** An address of class E (240.0.0.0/4) for an IPv6 address: always the same one, by a hash of it. */
function pseudoAddress(address: string): string {
  const start = hash("sha256", address, "buffer").readUInt32BE(0);
  // The last address of the class is the one for broadcasts.
  return ipv4Octets((0xf0_00_00_00 + (start % 0x0f_ff_ff_ff)) >>> 0).join(".");
}

/** An IPv6 address without its zone (`%eth0`). */
export function withoutZone(address: string): string {
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

/**
 * The encodings that the visitor accepts, as the response is passed on unchanged (RFC 9110 section 12.5.3).
 */
function acceptedEncodings(accepted: string): string {
  const quality = encodingQualities(accepted);
  const taken = ["gzip", "br"].filter((name) => quality(name) > 0);
  return taken.length === 0 ? "identity" : taken.join(", ");
}

/** Headers that the edge drops or replaces for origins. */
const notForwarded: ReadonlySet<string> = new Set([
  ...hopByHop,
  "host",
  "content-length",
  "expect",
  "accept-encoding",
  "x-forwarded-for",
  "x-forwarded-proto",
  "cf-connecting-ip",
  "cf-ipcountry",
  "cf-ray",
  "cf-visitor",
  "cdn-loop",
]);

/** The headers of an origin's response, with the edge's own in place of those of the same name. */
export function withOwn(headers: readonly Header[], own: readonly Header[]): Header[] {
  const kept = without(headers, own);
  kept.push(...own);
  return kept;
}

/** Drops headers of an origin's response that are meant for proxies such as this one, or that the edge sets itself. */
export function without(headers: readonly Header[], own: readonly Header[]): Header[] {
  return headers.filter(
    (header) => !header[0].startsWith("x-accel-") && !own.some((one) => one[0] === header[0]),
  );
}

/** Appends the headers to `turns`, names and values alternating. */
export function flatten(headers: readonly Header[], turns: string[] = []): string[] {
  for (const header of headers) turns.push(header[0], header[1]);
  return turns;
}
