import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";

import { parseClientAddress } from "../core/net/client-network.ts";
import { printIpAddress } from "../core/net/ip-address.ts";
import { isInRange, parseIpRange, type IpRange } from "../core/net/ip-range.ts";

export interface ClientAddresses {
  /**
   * The address of the client of a request: that of the connection, or the one in the `X-Forwarded-For` of trusted
   * proxies, without a port; `unknown` if that holds no address. Empty if the connection has ended. An IPv4 client of a
   * dual-stack socket (`::ffff:192.0.2.1`) has its IPv4 address.
   */
  readonly of: (request: Pick<IncomingMessage, "socket" | "headers">) => string;
  /** The same for a connection from `address` whose request has this `X-Forwarded-For`. */
  readonly behind: (address: string, forwardedFor: string) => string;
  /**
   * Whether a request comes from its address itself, or from a trusted proxy that names its client in
   * `X-Forwarded-For`. Not so for what another proxy says that it passes on.
   */
  readonly isKnown: (request: Pick<IncomingMessage, "socket" | "headers">) => boolean;
  /** Whether an address is that of a trusted proxy. */
  readonly isTrusted: (address: string) => boolean;
  /** The host that the client named, to a trusted proxy or here; empty if it named none. */
  readonly hostOf: (request: Pick<IncomingMessage, "socket" | "headers">) => string;
  /** Whether the client used TLS, with a trusted proxy or here. */
  readonly isSecure: (request: Pick<IncomingMessage, "socket" | "headers">) => boolean;
}

/** By these headers proxies tell for whom they ask, and how they were asked. */
const forwardingHeaders = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
] as const;

/** RFC 7239, section 6.2. */
const unknown = "unknown";

/** `trustedProxies` are addresses and ranges in CIDR notation. */
export function clientAddressesBehind(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = trustedProxies.map(toRange);
  const isTrusted = (address: string): boolean => isInOne(address, trusted);

  const behind = (peer: string, forwardedFor: string): string => {
    let address = peer;
    // From the right: entries further left may have been sent by the client.
    for (const hop of forwardedFor.split(",").toReversed()) {
      if (hop.trim() === "") continue;
      if (!isTrusted(address)) break;
      const before = withoutPort(hop.trim());
      address = isIP(before) === 0 ? unknown : before;
    }
    return unmapped(address);
  };

  /** A header of a trusted proxy: the last value, as those before it may have been sent by the client. */
  const toldOf = (
    { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
    name: "x-forwarded-host" | "x-forwarded-proto",
  ): string | undefined => {
    const value = headers[name];
    if (!value || !isTrusted(socket.remoteAddress ?? "")) return undefined;
    return String(value).split(",").at(-1)?.trim();
  };

  return {
    isTrusted,
    behind,
    hostOf: (request) => toldOf(request, "x-forwarded-host") ?? request.headers.host ?? "",
    isSecure: (request) => {
      const scheme = toldOf(request, "x-forwarded-proto");
      if (scheme !== undefined) return scheme === "https";
      return (request.socket as Partial<TLSSocket>).encrypted === true;
    },
    isKnown: ({ socket, headers }) => {
      if (headers["x-forwarded-for"] !== undefined && isTrusted(socket.remoteAddress ?? "")) return true;
      return forwardingHeaders.every((name) => headers[name] === undefined);
    },
    of: (request) => {
      const address = request.socket.remoteAddress ?? "";
      if (trustedProxies.length === 0) return unmapped(address);
      return behind(address, [request.headers["x-forwarded-for"] ?? ""].flat().join(","));
    },
  };
}

const loopback = ["127.0.0.0/8", "::1"].map(toRange);

/** Whether an address is one of the loopback interface. */
export function isLoopback(address: string): boolean {
  return isInOne(address, loopback);
}

/** Throws for what is neither an address nor a range. */
export function toRange(text: string): IpRange {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error(`${text} is neither an address nor a range`);
  return range;
}

export function isInOne(text: string, ranges: readonly IpRange[]): boolean {
  const address = parseClientAddress(text);
  return address !== undefined && ranges.some((range) => isInRange(address, range));
}

/** The IPv4 address in an IPv4-mapped IPv6 address; any other text as it is. */
function unmapped(text: string): string {
  if (!/:ffff:/i.test(text)) return text;
  const address = parseClientAddress(text);
  return address?.version === 4 ? printIpAddress(address) : text;
}

/** Some proxies add the port, `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  return bracketed ?? ipv4 ?? hop;
}
