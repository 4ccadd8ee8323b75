import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { isInOne, toRange, type ClientAddresses } from "./client-address.ts";
import type { HostCheck } from "./host-header.ts";

interface MetricsAccessOptions {
  /** Addresses and ranges whose clients need no credentials; `none` stands for none. */
  readonly networks: readonly string[];
  /** Undefined where there is none. */
  readonly token: string | undefined;
  readonly clientAddresses: ClientAddresses;
  readonly isHostAllowed: HostCheck;
}

/** How a request may read the metrics: `host unknown` where a page of another host may have made a browser send it. */
export type MetricsAccess = (
  request: Pick<IncomingMessage, "socket" | "headers">,
) => "granted" | "host unknown" | "denied";

/**
 * Who may read metrics, of every process alike: whoever has the token, and clients in the networks. What a proxy passes on
 * is of no network, unless the proxy is a trusted one that names the client's address: else all its visitors would be.
 */
export function createMetricsAccess(options: MetricsAccessOptions): MetricsAccess {
  const { clientAddresses, isHostAllowed } = options;
  const networks = options.networks.filter((entry) => entry !== "none").map(toRange);
  const tokenHash = options.token === undefined ? undefined : hash("sha256", options.token);
  return (request) => {
    const [, token] = /^bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? "") ?? [];
    // Hashes, as their comparison tells nothing of the token by its time.
    if (token !== undefined && hash("sha256", token) === tokenHash) return "granted";
    if (!clientAddresses.isKnown(request) || !isInOne(clientAddresses.of(request), networks)) return "denied";
    return isHostAllowed(request) ? "granted" : "host unknown";
  };
}
