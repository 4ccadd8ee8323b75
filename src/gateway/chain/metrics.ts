import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { supportedMethods } from "./methods.ts";

/** The metrics of the gateway. Every label has a bounded number of values, none of which can hold a secret. */
export interface GatewayMetrics {
  /**
   * Counts an answered call. `cache` is the outcome of the cache, `NONE` if the call did not get that far; `outcome` is
   * `ok` or a class of errors.
   */
  called(network: string, method: string, cache: string, outcome: string, seconds: number): void;
  asked(network: string, upstream: string, outcome: string): void;
  /** Sets the state of an upstream; `block` is undefined while its newest block is unknown. */
  upstreamState(network: string, upstream: string, isUsable: boolean, block: number | undefined): void;
  cacheBytes(network: string, bytes: number): void;
  subscriptions(network: string, count: number): void;
}

/** Creates the metrics of the gateway in `register`. */
export function createGatewayMetrics(register: Registry): GatewayMetrics {
  const registers = [register];
  const calls = new Counter({
    name: "zoneward_gateway_calls_total",
    help: "Calls answered, by outcome of the cache and of the call",
    labelNames: ["network", "method", "cache", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "zoneward_gateway_call_duration_seconds",
    help: "Time to answer a call",
    labelNames: ["network", "method"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const upstreamRequests = new Counter({
    name: "zoneward_gateway_upstream_requests_total",
    help: "Requests to an upstream, by outcome",
    labelNames: ["network", "upstream", "outcome"],
    registers,
  });
  const upstreamUsable = new Gauge({
    name: "zoneward_gateway_upstream_usable",
    help: "1 while calls are sent to the upstream by preference",
    labelNames: ["network", "upstream"],
    registers,
  });
  const upstreamBlock = new Gauge({
    name: "zoneward_gateway_upstream_block",
    help: "Newest block of the upstream",
    labelNames: ["network", "upstream"],
    registers,
  });
  const cacheSize = new Gauge({
    name: "zoneward_gateway_cache_bytes",
    help: "Memory that cached answers take",
    labelNames: ["network"],
    registers,
  });
  const openSubscriptions = new Gauge({
    name: "zoneward_gateway_subscriptions",
    help: "Subscriptions on WebSockets",
    labelNames: ["network"],
    registers,
  });

  return {
    called(network, clientMethod, cache, outcome, seconds) {
      // Clients can send any name.
      const method = supportedMethods.has(clientMethod) ? clientMethod : "other";
      durations.observe({ network, method }, seconds);
      calls.inc({ network, method, cache, outcome });
    },
    asked: (network, upstream, outcome) => upstreamRequests.inc({ network, upstream, outcome }),
    upstreamState(network, upstream, isUsable, block) {
      upstreamUsable.set({ network, upstream }, isUsable ? 1 : 0);
      if (block !== undefined) upstreamBlock.set({ network, upstream }, block);
    },
    cacheBytes: (network, bytes) => cacheSize.set({ network }, bytes),
    subscriptions: (network, count) => openSubscriptions.set({ network }, count),
  };
}
