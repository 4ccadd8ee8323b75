import { valueIn, type Header } from "../../core/transforms/request-headers.ts";

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
 * Headers without those that `Connection` names, as these end with the connection (RFC 9110 section 7.6.1). Those that are of a
 * connection by themselves stay, `Upgrade` for one.
 */
export function withoutListed(headers: readonly Header[]): readonly Header[] {
  const listed = valueIn(headers, "connection").toLowerCase();
  if (listed === "" || listed === "keep-alive" || listed === "close") return headers;
  const names = new Set(listed.split(",").map((name) => name.trim()));
  return headers.filter(([name]) => !names.has(name) || hopByHop.has(name) || neverListed.has(name));
}

/** Appends the headers to `turns`, names and values alternating. */
export function flatten(headers: readonly Header[], turns: string[] = []): string[] {
  for (const header of headers) turns.push(header[0], header[1]);
  return turns;
}

/** An IPv6 address without its zone (`%eth0`). */
export function withoutZone(address: string): string {
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}
