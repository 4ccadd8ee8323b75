import { isIP } from "node:net";

import { cidrOfAddress, parseCidr, parseIpRange } from "../core/net/ip-range.ts";
import publicAddresses from "../../catalogues/edge-addresses.json" with { type: "json" };
import {
  isLoopbackAddress,
  listenAddresses,
  listenAddressList,
  loopbackNetworks,
  type ListenAddress,
  flag,
  integer,
  integerOrAutomatic,
  list,
} from "./setting-kinds.ts";

const defaultListen = "127.0.0.1:1053";
const defaultEdgeAddress = "127.0.0.1";
const responsesPerSecondMax = 200;

export const dnsSettings = {
  dns: flag({
    help: `Answer DNS queries for the active zones, at ${defaultListen} unless \`dns_listen\` says where.`,
  }),
  dns_listen: listenAddressList(
    "127.0.0.1:1053,[::1]:1053",
    "Addresses at which the name server listens, on UDP and TCP; port 0 takes a free one. Turns it on, as `dns` does.",
  ),
  edge_addresses: list(publicAddresses.everywhere, {
    notation: "ADDRESS|CIDR,...",
    accepts: (entry) => parseCidr(cidrOfAddress(entry) ?? entry) !== undefined,
    rule: "must be a list of addresses, or ranges in CIDR notation",
    help:
      "Addresses of the edge. GET /ips answers them as ranges, by default the public ones that clients expect there. The name " +
      `server answers proxied names with the single addresses among them; by default with ${defaultEdgeAddress}.`,
  }),
  dns_rate_limit: integerOrAutomatic("auto", {
    min: 1,
    max: 1_000_000,
    help:
      "Most equal answers over UDP to one network in a second, so that a forged sender does not flood others. Every second " +
      "one above it is sent truncated, the others not at all; clients with a valid cookie are exempt. `auto` is off where the " +
      `name server listens on loopback addresses only, otherwise ${responsesPerSecondMax}.`,
  }),
  transfer_networks: list([], {
    notation: "CIDR,...",
    accepts: (entry) => parseIpRange(entry) !== undefined,
    rule: "must be a list of addresses or ranges in CIDR notation",
    help:
      "Addresses of peers of zone transfers besides public ones: primary servers that are asked for secondary zones, and " +
      "servers that are notified. Others that are not public are neither asked nor notified. By default loopback, if the name " +
      "server listens on loopback addresses only.",
  }),
  dns_zones_bytes_max: integer(1024 * 1024 * 1024, {
    min: 1024 * 1024,
    max: 2 ** 40,
    help:
      "Most octets of memory for the zones that each thread of the name server holds, as it estimates them: those that were asked " +
      "for last. Another one is read at the next question for it. A name counts as 900 octets; give it room for the largest zones.",
  }),
  dns_workers: integer(1, {
    min: 1,
    max: 64,
    help:
      "Threads that answer queries over UDP, each with the zones in its own memory; the system deals the senders out among " +
      "them (SO_REUSEPORT: Linux and FreeBSD). Each counts for itself towards `dns_rate_limit`.",
  }),
  dns_query_log: flag({ help: "Log every DNS query: its sender, name, type and response code." }),
};

interface DnsConfig {
  readonly dns: boolean;
  readonly dns_listen: readonly string[];
  readonly dns_rate_limit: "auto" | "off" | number;
  readonly edge_addresses: readonly string[];
  readonly transfer_networks: readonly string[];
}

/** The addresses at which the name server listens; none if it is off. */
export function dnsAddressesOf({
  dns,
  dns_listen,
}: Pick<DnsConfig, "dns" | "dns_listen">): readonly ListenAddress[] {
  return listenAddresses(dns && dns_listen.length === 0 ? [defaultListen] : dns_listen);
}

/** The number that `dns_rate_limit` stands for; undefined for no limit. */
export function responsesPerSecondOf(
  config: Pick<DnsConfig, "dns" | "dns_listen" | "dns_rate_limit">,
): number | undefined {
  const { dns_rate_limit: limit } = config;
  if (limit !== "auto") return limit === "off" ? undefined : limit;
  return dnsAddressesOf(config).every(isLoopbackAddress) ? undefined : responsesPerSecondMax;
}

/** Networks that peers of transfers may be in, besides public addresses. */
export function transferNetworksOf(
  config: Pick<DnsConfig, "dns" | "dns_listen" | "transfer_networks">,
): readonly string[] {
  if (config.transfer_networks.length > 0) return config.transfer_networks;
  const listening = dnsAddressesOf(config);
  return listening.length > 0 && listening.every(isLoopbackAddress) ? loopbackNetworks : [];
}

/** The addresses of proxied names; none where the setting names ranges only. */
export function proxiedAddressesOf({
  edge_addresses: entries,
}: Pick<DnsConfig, "edge_addresses">): readonly string[] {
  if (entries === publicAddresses.everywhere) return [defaultEdgeAddress];
  return entries
    .map((entry) => entry.replace(/(?<=\.\d+)\/32$|(?<=:.*)\/128$/, ""))
    .filter((entry) => isIP(entry) !== 0);
}

/** The edge's addresses as ranges in CIDR notation. */
export function edgeRangesOf({ edge_addresses }: Pick<DnsConfig, "edge_addresses">): readonly string[] {
  return edge_addresses.map((entry) => cidrOfAddress(entry) ?? entry);
}
