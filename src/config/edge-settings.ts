import { parseIpRange } from "../core/net/ip-range.ts";
import {
  isLoopbackAddress,
  listenAddresses,
  listenAddressList,
  loopbackNetworks,
  type ListenAddress,
  choice,
  flag,
  integer,
  list,
  text,
} from "./setting-kinds.ts";

const defaultHttp = "127.0.0.1:8080";
const defaultHttps = "127.0.0.1:8443";

const addresses = (help: string) => listenAddressList("127.0.0.1:8080,[::1]:8080", help);

export const edgeSettings = {
  edge: flag({
    help:
      `Serve the proxied names of active zones, over HTTP at ${defaultHttp} and over HTTPS at ${defaultHttps} unless ` +
      "`edge_http` and `edge_https` say where.",
  }),
  edge_http: addresses(
    "Addresses at which the edge listens for HTTP; port 0 takes a free one. Turns it on, as `edge` does.",
  ),
  edge_https: addresses("Addresses at which the edge listens for HTTPS. Turns it on, as `edge` does."),
  edge_origin_networks: list([], {
    notation: "CIDR,...",
    accepts: (entry) => parseIpRange(entry) !== undefined,
    rule: "must be a list of addresses or ranges in CIDR notation",
    help:
      "Addresses of origins that the edge may reach besides public ones, and that records with `proxied` may have; others " +
      "that are not public are refused. By default loopback, if the edge listens on loopback addresses only.",
  }),
  edge_location_databases: list([], {
    notation: "FILE,...",
    accepts: (entry) => entry !== "",
    rule: "must be a list of files",
    help:
      "Databases in the MaxMind DB format (`.mmdb`) that say of a visitor's address in which country and in which autonomous " +
      "system it is. They are read at the start.",
  }),
  edge_judge: addresses(
    "Addresses at which the edge tells proxies of others what rules make of a request; see docs/operating/edge-judge.md. " +
      "Plain HTTP: for loopback and private networks.",
  ),
  edge_judge_peers: list(loopbackNetworks, {
    notation: "CIDR,...",
    accepts: (entry) => parseIpRange(entry) !== undefined,
    rule: "must be a list of addresses or ranges in CIDR notation",
    help: "Addresses of the proxies that may ask at `edge_judge`; what they say of visitors is believed.",
  }),
  edge_fail: choice("closed", ["open", "closed"], {
    help:
      "What becomes of a request whose rules cannot be judged: `open` lets it pass the rule that failed, `closed` answers 500. " +
      "Either is logged and a security event.",
  }),
  edge_workers: integer(1, {
    min: 1,
    max: 64,
    help:
      "Threads that serve visitors at `edge_http` and `edge_https`, each with the zones in its own memory; the system deals the " +
      "connections out among them (SO_REUSEPORT: Linux and FreeBSD). Each takes its part of `connections_max`.",
  }),
  edge_zones_bytes_max: integer(256 * 1024 * 1024, {
    min: 1024 * 1024,
    max: 2 ** 40,
    help:
      "Most octets of memory for the zones that each thread of an edge holds, as it estimates them: those that visitors asked for last. Another " +
      "one is read at its next request. Rules and lists of accounts may take a quarter as much besides, rules that are ready to " +
      "run `edge_ready_bytes_max`.",
  }),
  edge_ready_bytes_max: integer(512 * 1024 * 1024, {
    min: 1024 * 1024,
    max: 2 ** 40,
    help:
      "Most octets of memory for the rules that each thread of an edge keeps ready to run, of the zones that were used last; those of another " +
      "zone are compiled for its next request. A rule counts as 8 KiB, and each of its regular expressions as 256 KiB and 1 KiB " +
      "for each part; equal ones count once. Those of a single zone may take a quarter.",
  }),
  edge_matched_rules_log: text(undefined, {
    notation: "FILE",
    help:
      "File to which the edge appends, as a line of JSON, the rules that each request met, before it answers: for regression " +
      "tests of rules. It grows without bound.",
  }),
  edge_matched_rules_header: text("X-CRS-Test", {
    notation: "NAME",
    accepts: (name) => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name),
    rule: "must be the name of a header",
    help: "Header of requests whose value stands in the lines of `edge_matched_rules_log` as `marker`.",
  }),
};

interface EdgeConfig {
  readonly edge: boolean;
  readonly edge_http: readonly string[];
  readonly edge_https: readonly string[];
  readonly edge_origin_networks: readonly string[];
  readonly edge_judge: readonly string[];
  readonly edge_judge_peers: readonly string[];
}

type Listeners = Pick<EdgeConfig, "edge" | "edge_http" | "edge_https" | "edge_judge">;

interface EdgeAddresses {
  readonly http: readonly ListenAddress[];
  readonly https: readonly ListenAddress[];
  readonly judge: readonly ListenAddress[];
}

/** The addresses at which the edge listens; none if it is off. */
export function edgeAddressesOf({ edge, edge_http, edge_https, edge_judge }: Listeners): EdgeAddresses {
  const isDefault = edge && edge_http.length === 0 && edge_https.length === 0;
  return {
    http: listenAddresses(isDefault ? [defaultHttp] : edge_http),
    https: listenAddresses(isDefault ? [defaultHttps] : edge_https),
    judge: listenAddresses(edge_judge),
  };
}

/** Networks that origins may be in, besides public addresses. */
export function originNetworksOf(config: EdgeConfig): readonly string[] {
  if (config.edge_origin_networks.length > 0) return config.edge_origin_networks;
  const { http, https } = edgeAddressesOf(config);
  const listening = [...http, ...https];
  return listening.length > 0 && listening.every(isLoopbackAddress) ? loopbackNetworks : [];
}
