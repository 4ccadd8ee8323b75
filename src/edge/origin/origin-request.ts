import { hash } from "node:crypto";
import { isIP } from "node:net";

import { ipv4Octets } from "../../core/net/ip-address.ts";
import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import { originTargetOf, targetOf } from "../../core/transforms/origin-request.ts";
import { headersOf, valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { originPath } from "../../core/transforms/url-normalization.ts";
import { encodingQualities, hopByHop, withoutZone } from "../request/visitor-request.ts";
import { flatten, type Exchange } from "../request/exchange.ts";
import type { EdgeSettings } from "../zones/edge-zone.ts";
import type { OriginRequest } from "./forward.ts";
import type { OriginTarget } from "./origin-connections.ts";

/** The targets to which a request may be sent, as the rules decided. */
export function targetsAt(addresses: readonly string[], { visitor, zone, judged }: Exchange): OriginTarget[] {
  const { route, configuration } = judged;
  const { ssl } = settingsFor(zone.settings, configuration);
  const isSecure = ssl === "origin_pull" || (visitor.isSecure && (ssl === "full" || ssl === "strict"));
  const port = route.origin?.port ?? (isSecure ? 443 : 80);
  if (!isSecure) return addresses.map((address) => ({ zone, address, port, tls: undefined }));
  const hostHeader = route.host_header ?? visitor.host;
  const serverName = route.sni?.value ?? hostHeader.replace(/:\d+$/, "");
  const tls = { serverName, checksCertificate: ssl === "strict" };
  return addresses.map((address) => ({ zone, address, port, tls }));
}

/** The settings, with those that a rule replaced for one request. */
function settingsFor(
  settings: EdgeSettings,
  { ssl, ip_geolocation, true_client_ip_header }: ActionParameters,
): EdgeSettings {
  if (ssl === undefined && ip_geolocation === undefined && true_client_ip_header === undefined)
    return settings;
  const isOn = (value: unknown, otherwise: boolean): boolean =>
    value === undefined ? otherwise : value === "on";
  return {
    ...settings,
    ssl: (ssl ?? settings.ssl) as EdgeSettings["ssl"],
    sendsCountry: isOn(ip_geolocation, settings.sendsCountry),
    sendsTrueClientIp: isOn(true_client_ip_header, settings.sendsTrueClientIp),
  };
}

/** The request for an origin, as the rules changed it. */
export function originRequest(exchange: Exchange): OriginRequest {
  const { visit, visitor, zone, body, judged } = exchange;
  const { target, headers } = sentOn(exchange);
  if (visitor.bodyLength !== undefined) headers.push(["content-length", String(visitor.bodyLength)]);
  return {
    method: visitor.method,
    target,
    headers: flatten(headers, ["host", judged.route.host_header ?? visitor.host]),
    body,
    readMs: zone.settings.originReadMs,
    isUpgrade: visit.upgrade !== undefined,
  };
}

/** A request as the rules changed it: path and query, and headers without `Host` and those of the body. */
export function sentOn(exchange: Exchange): { readonly target: string; readonly headers: Header[] } {
  const { visitor, zone, judged } = exchange;
  const { sent, request } = judged;
  const { urlNormalization } = zone.judging;
  const target =
    request === sent
      ? targetOf(originPath(visitor.path, urlNormalization), visitor.query)
      : originTargetOf(sent, request, urlNormalization);
  const headers = request === sent ? judged.unforged : headersOf(request);
  return { target: asciiOf(target), headers: originHeaders(exchange, headers) };
}

/** A target in ASCII: other characters are escaped. */
function asciiOf(target: string): string {
  if (/^[!-"$-~]*$/.test(target)) return target;
  return target.toWellFormed().replaceAll(/[^!-"$-~]/gu, (character) => encodeURIComponent(character));
}

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

/**
 * The headers of a request to its origin, as the rules left them, with the edge's own; without `Host` and those
 * of the body.
 */
function originHeaders(exchange: Exchange, headers: readonly Header[]): Header[] {
  const { address, location, ray, edge, visitor, zone, judged } = exchange;
  const settings = settingsFor(zone.settings, judged.configuration);
  const sent = headers.filter((header) => !notForwarded.has(header[0]) && nameForm.test(header[0]));
  sent.push(["accept-encoding", acceptedEncodings(valueIn(headers, "accept-encoding"))]);
  const told = isIP(address) === 0 ? "" : withoutZone(address);
  sent.push(...addressHeaders(told, headers, settings, judged.removedHeaders));
  if (settings.sendsCountry)
    sent.push(["cf-ipcountry", valueIn(headers, "cf-ipcountry") || (location.country ?? "XX")]);
  const loop = valueIn(headers, "cdn-loop");
  const loopToken = edge.loopToken();
  sent.push(["cf-ray", ray], ...(visitor.isSecure ? ofHttps : ofHttp), [
    "cdn-loop",
    loop === "" ? loopToken : `${loop}, ${loopToken}`,
  ]);
  return sent;
}

/**
 * Headers that tell the origin the visitor's address. Where visitors are hidden, that is only the address of the
 * last of the proxies through which the request came.
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

/** Whether a request has already passed through this installation (RFC 8586). */
export function isLoop(headers: readonly Header[], loopToken: string): boolean {
  const passed = valueIn(headers, "cdn-loop");
  return passed !== "" && passed.split(",").some((entry) => entry.split(";", 1)[0]?.trim() === loopToken);
}
