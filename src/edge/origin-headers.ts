import { isIP } from "node:net";

import { valuesOf, type Header } from "../core/transforms/request-headers.ts";
import { encodingQualities } from "./accept-encoding.ts";
import type { EdgeSettings } from "./edge-settings.ts";

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
const ofTheEdge = /^(?:cf-|x-cf-|x-real-ip$|true-client-ip$|x-forwarded-proto$|x-forwarded-host$)/;

/** Accepted names of request headers: servers read `a_b` and `a-b` as one. */
const nameForm = /^[a-z0-9-]+$/;

interface Visit {
  readonly address: string;
  readonly isSecure: boolean;
  readonly ray: string;
  /** Identifies this installation in `CDN-Loop` (RFC 8586). */
  readonly loopToken: string;
}

/** Headers without those that a visitor must not forge. */
export function unforged(headers: readonly Header[]): readonly Header[] {
  const isForged = ([name]: Header): boolean => ofTheEdge.test(name);
  return headers.some(isForged) ? headers.filter((header) => !isForged(header)) : headers;
}

/** Headers without those of the connection. */
export function endToEnd(headers: readonly Header[]): Header[] {
  const listed = listedByConnection(headers);
  return headers.filter(([name]) => !hopByHop.has(name) && !listed.has(name));
}

const none: ReadonlySet<string> = new Set();

/** The names in `Connection`, where it holds others than `keep-alive`. */
function listedByConnection(headers: readonly Header[]): ReadonlySet<string> {
  const listed = valuesOf(headers, "connection").join(",").toLowerCase();
  if (listed === "" || listed === "keep-alive") return none;
  return new Set(listed.split(",").map((name) => name.trim()));
}

/** Whether a request has already passed through this installation (RFC 8586). */
export function isLoop(headers: readonly Header[], loopToken: string): boolean {
  return headers.some(
    ([name, value]) =>
      name === "cdn-loop" && value.split(",").some((entry) => entry.split(";", 1)[0]?.trim() === loopToken),
  );
}

/**
 * The headers of a request to its origin, as the rules left them, with the edge's own; without `Host` and
 * those of the body.
 */
export function originHeaders(
  headers: readonly Header[],
  settings: EdgeSettings,
  { address, isSecure, ray, loopToken }: Visit,
): Header[] {
  const listed = listedByConnection(headers);
  const sent = headers.filter(([name]) => !replaced.has(name) && nameForm.test(name) && !listed.has(name));
  const valueOf = (name: string) => valuesOf(headers, name).join(", ");
  sent.push(["accept-encoding", acceptedEncodings(valueOf("accept-encoding"))]);
  if (settings.sendsVisitorAddress) {
    const visitor = isIP(address) === 0 ? "" : address.replace(/%.*$/, "");
    const forwarded = valueOf("x-forwarded-for");
    sent.push(
      ["cf-connecting-ip", visitor],
      ["x-forwarded-for", forwarded === "" ? visitor : `${forwarded}, ${visitor}`],
    );
    if (settings.sendsTrueClientIp) sent.push(["true-client-ip", visitor]);
  }
  if (settings.sendsCountry) sent.push(["cf-ipcountry", valueOf("cf-ipcountry") || "XX"]);
  const scheme = isSecure ? "https" : "http";
  const loop = valueOf("cdn-loop");
  sent.push(
    ["cf-ray", ray],
    ["cf-visitor", `{"scheme":"${scheme}"}`],
    ["x-forwarded-proto", scheme],
    ["cdn-loop", loop === "" ? loopToken : `${loop}, ${loopToken}`],
  );
  return sent;
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
const replaced: ReadonlySet<string> = new Set([
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

/** Appends the headers to `turns`, names and values alternating. */
export function flatten(headers: readonly Header[], turns: string[] = []): string[] {
  for (const [name, value] of headers) turns.push(name, value);
  return turns;
}
