import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

import { isInOne, toRange, type ClientAddresses } from "./client-address.ts";
import type { HostCheck } from "./host-header.ts";

/** The metrics of one server. Labels are route patterns, never paths, so that their number is bounded. */
export interface Metrics {
  /** For further metrics of other parts of the server. */
  readonly register: Registry;
  /** Counts an answered request; `seconds` from its first byte to the last one of the answer. */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/** Milliseconds between two looks at how late the event loop is: each wakes a server that has nothing to do. */
const loopPrecisionMs = 250;

/** Creates the metrics of a server, with those of its process. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: loopPrecisionMs });
  const durations = new Histogram({
    name: "zoneward_http_request_duration_seconds",
    help: "Time to answer a request, by route",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const requests = new Counter({
    name: "zoneward_http_requests_total",
    help: "Requests answered, by route and status code",
    labelNames: ["method", "route", "status"],
    registers,
  });

  return {
    register,
    observe(method, route, status, seconds) {
      durations.observe({ method, route }, seconds);
      requests.inc({ method, route, status });
    },
    contentType: register.contentType,
    render: () => register.metrics(),
  };
}

interface MetricsAccessOptions {
  /** Addresses and ranges whose clients need no credentials; `none` stands for none. */
  readonly networks: readonly string[];
  /** Undefined where there is none. */
  readonly token: string | undefined;
  readonly clientAddresses: ClientAddresses;
  readonly isHostAllowed: HostCheck;
}

/**
 * Decides whether a request may read the metrics: `host unknown` where a page of another host may have made a browser
 * send it.
 */
export type MetricsAccess = (
  request: Pick<IncomingMessage, "socket" | "headers">,
) => "granted" | "host unknown" | "denied";

/**
 * Lets requests read metrics, in every process alike: of whoever has the token, and clients in the networks. What a
 * proxy passes on is of no network, unless the proxy is a trusted one that names the client's address: else all its
 * visitors would be.
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
