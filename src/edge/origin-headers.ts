import { parseClientAddress } from "../core/net/client-network.ts";
import { valuesOf, type Header } from "../core/transforms/request-headers.ts";
import type { EdgeSettings } from "./edge-settings.ts";

/** Of one connection, whether or not `Connection` lists them (RFC 9110 section 7.6.1). */
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

/** Names under which only the edge speaks. */
const ofTheEdge = /^(?:cf-|x-cf-|x-real-ip$|true-client-ip$|x-forwarded-proto$|x-forwarded-host$)/;

/** What a header of a request may be called; servers read `a_b` and `a-b` as one. */
const nameForm = /^[a-z0-9-]+$/;

interface Visit {
  readonly address: string;
  readonly isSecure: boolean;
  readonly ray: string;
  /** Names this installation in `CDN-Loop`. */
  readonly loopToken: string;
}

/** Headers without those that a visitor must not forge. */
export function unforged(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => !ofTheEdge.test(name));
}

/** Headers without those of the connection. */
export function endToEnd(headers: readonly Header[]): Header[] {
  const listed = new Set(
    valuesOf(headers, "connection").flatMap((value) =>
      value.split(",").map((name) => name.trim().toLowerCase()),
    ),
  );
  return headers.filter(([name]) => !hopByHop.has(name) && !listed.has(name));
}

/** Whether a request has been at this installation already (RFC 8586). */
export function isLoop(headers: readonly Header[], loopToken: string): boolean {
  return headers.some(
    ([name, value]) =>
      name === "cdn-loop" && value.split(",").some((entry) => entry.split(";", 1)[0]?.trim() === loopToken),
  );
}

/** The headers of a request to its origin as rules left them, with those of the edge; without `Host` and those of its body. */
export function originHeaders(
  headers: readonly Header[],
  settings: EdgeSettings,
  { address, isSecure, ray, loopToken }: Visit,
): Header[] {
  const kept = endToEnd(headers).filter(([name]) => nameForm.test(name) && !replaced.has(name));
  const valueOf = (name: string) => valuesOf(headers, name).join(", ");
  const visitor = parseClientAddress(address) === undefined ? "" : address.replace(/%.*$/, "");
  const forwarded = valueOf("x-forwarded-for");
  const loop = valueOf("cdn-loop");
  const addresses: Header[] = [
    ["cf-connecting-ip", visitor],
    ["x-forwarded-for", forwarded === "" ? visitor : `${forwarded}, ${visitor}`],
    ...(settings.sendsTrueClientIp ? [["true-client-ip", visitor] as const] : []),
  ];
  const country = valueOf("cf-ipcountry");
  const scheme = isSecure ? "https" : "http";
  return [
    ...kept,
    ["accept-encoding", acceptedEncodings(valueOf("accept-encoding"))],
    ...(settings.sendsVisitorAddress ? addresses : []),
    ...(settings.sendsCountry ? [["cf-ipcountry", country === "" ? "XX" : country] as const] : []),
    ["cf-ray", ray],
    ["cf-visitor", JSON.stringify({ scheme })],
    ["x-forwarded-proto", scheme],
    ["cdn-loop", loop === "" ? loopToken : `${loop}, ${loopToken}`],
  ];
}

/** The encodings that a visitor takes an answer in, as it is passed on as it came (RFC 9110 section 12.5.3). */
function acceptedEncodings(accepted: string): string {
  const qualities = new Map(
    accepted.split(",").map((entry) => {
      const [name = "", quality = ""] = entry.toLowerCase().split(";", 2);
      return [name.trim(), Number(/^\s*q=([\d.]+)\s*$/.exec(quality)?.[1] ?? 1)];
    }),
  );
  const taken = ["gzip", "br"].filter((name) => (qualities.get(name) ?? qualities.get("*") ?? 0) > 0);
  return taken.length === 0 ? "identity" : taken.join(", ");
}

const replaced: ReadonlySet<string> = new Set([
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

/** Names and values in turn. */
export function flatten(headers: readonly Header[]): string[] {
  const turns: string[] = [];
  for (const [name, value] of headers) turns.push(name, value);
  return turns;
}
