import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4 } from "node:net";

/** Finds the addresses of clients. */
export interface ClientAddresses {
  /**
   * The address of the client of a request: that of the connection, or the one in the `X-Forwarded-For` of trusted proxies,
   * without a port; `unknown` if that holds no address. Empty if the connection has ended.
   */
  readonly of: (request: Pick<IncomingMessage, "socket" | "headers">) => string;
  /** Whether an address is that of a trusted proxy. */
  readonly isTrusted: (address: string) => boolean;
}

/** RFC 7239, section 6.2. */
const unknown = "unknown";

/** `trustedProxies` are addresses and ranges in CIDR notation. */
export function clientAddressesBehind(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, familyOf(address));

  return {
    isTrusted,
    of: ({ socket, headers }) => {
      let address = socket.remoteAddress ?? "";
      if (trustedProxies.length === 0) return address;
      const hops = [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",");
      // From the right: entries further left may have been sent by the client.
      for (const hop of hops.toReversed()) {
        if (hop.trim() === "") continue;
        if (!isTrusted(address)) break;
        const before = withoutPort(hop.trim());
        address = isIP(before) === 0 ? unknown : before;
      }
      return address;
    },
  };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address is one of the loopback interface. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

/** Some proxies add the port, `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  return bracketed ?? ipv4 ?? hop;
}
