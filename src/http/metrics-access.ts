import type { IncomingMessage } from "node:http";

import { hashSecret } from "../secrets/secrets.ts";
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

/** By these headers proxies tell for whom they ask. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"] as const;

/**
 * Who may read metrics, of every process alike: whoever has the token, and clients in the networks. What a proxy passes on
 * is of no network, unless the proxy is a trusted one that names the client's address: else all its visitors would be.
 */
export function createMetricsAccess(options: MetricsAccessOptions): MetricsAccess {
  const { clientAddresses, isHostAllowed } = options;
  const networks = options.networks.filter((entry) => entry !== "none").map(toRange);
  const tokenHash = options.token === undefined ? undefined : hashSecret(options.token);

  const isNamed = ({ socket, headers }: Parameters<MetricsAccess>[0]): boolean =>
    headers["x-forwarded-for"] !== undefined && clientAddresses.isTrusted(socket.remoteAddress ?? "");

  return (request) => {
    const { headers } = request;
    const [, token] = /^bearer +(\S+)\s*$/i.exec(headers.authorization ?? "") ?? [];
    if (token !== undefined && hashSecret(token) === tokenHash) return "granted";
    const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
    if (isForwarded && !isNamed(request)) return "denied";
    if (!isInOne(clientAddresses.of(request), networks)) return "denied";
    return isHostAllowed(request) ? "granted" : "host unknown";
  };
}
