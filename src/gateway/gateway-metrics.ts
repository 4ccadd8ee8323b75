import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { openByLabels, seriesOf } from "../http/metrics.ts";
import { supportedMethods } from "./rpc/methods.ts";

/** What the gateway tells Prometheus. Every label has a bounded number of values, and none can hold a secret. */
export interface GatewayMetrics {
  /**
   * One call was answered: `cache` is how the cache took part (`NONE` where the call was refused before), `outcome` is
   * `ok` or a class of errors.
   */
  called(network: string, method: string, cache: string, outcome: string, seconds: number): void;
  /** One request to an upstream. */
  asked(network: string, upstream: string, outcome: string): void;
  /** How an upstream stands; `block` is undefined while it is not known. */
  upstreamState(network: string, upstream: string, isUsable: boolean, block: number | undefined): void;
  cacheBytes(network: string, bytes: number): void;
  subscriptions(network: string, count: number): void;
}

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds what the gateway tells to `register`. */
export function createGatewayMetrics(register: Registry): GatewayMetrics {
  const registers = [register];
  const openCalls = openByLabels(register, Counter, ["network", "method", "cache", "outcome"], {
    name: "zoneward_gateway_calls_total",
    help: "Calls answered, by outcome of the cache and of the call",
  });
  const openDurations = openByLabels(register, Histogram, ["network", "method"], {
    name: "zoneward_gateway_call_duration_seconds",
    help: "Time to answer a call",
    buckets,
  });
  const openRequests = openByLabels(register, Counter, ["network", "upstream", "outcome"], {
    name: "zoneward_gateway_upstream_requests_total",
    help: "Requests to an upstream, by outcome",
  });
  const upstreamUsable = new Gauge({
    name: "zoneward_gateway_upstream_usable",
    help: "1 while calls are sent to the upstream by preference",
    labelNames: ["network", "upstream"] as const,
    registers,
  });
  const upstreamBlock = new Gauge({
    name: "zoneward_gateway_upstream_block",
    help: "Newest block of the upstream",
    labelNames: ["network", "upstream"] as const,
    registers,
  });
  const cacheSize = new Gauge({
    name: "zoneward_gateway_cache_bytes",
    help: "Memory that cached answers take",
    labelNames: ["network"] as const,
    registers,
  });
  const openSubscriptions = new Gauge({
    name: "zoneward_gateway_subscriptions",
    help: "Subscriptions on WebSockets",
    labelNames: ["network"] as const,
    registers,
  });
  const methods = new Map<string, Map<string, MethodSeries>>();
  const requests = new Map<string, Map<string, Counters>>();

  return {
    called(network, method, cache, outcome, seconds) {
      const name = methodLabel(method);
      const ofNetwork = seriesOf(methods, network, () => new Map<string, MethodSeries>());
      const { durations, calls } = seriesOf(ofNetwork, name, () => ({
        durations: openDurations(network, name),
        calls: new Map(),
      }));
      durations.observe(seconds);
      const ofCache = seriesOf(calls, cache, newCounters);
      seriesOf(ofCache, outcome, () => openCalls(network, name, cache, outcome)).inc();
    },
    asked(network, upstream, outcome) {
      const ofUpstream = seriesOf(seriesOf(requests, network, newUpstreams), upstream, newCounters);
      seriesOf(ofUpstream, outcome, () => openRequests(network, upstream, outcome)).inc();
    },
    upstreamState(network, upstream, isUsable, block) {
      upstreamUsable.labels(network, upstream).set(isUsable ? 1 : 0);
      if (block !== undefined) upstreamBlock.labels(network, upstream).set(block);
    },
    cacheBytes: (network, bytes) => cacheSize.labels(network).set(bytes),
    subscriptions: (network, count) => openSubscriptions.labels(network).set(count),
  };
}

/** The series of one method of one network. */
interface MethodSeries {
  readonly durations: Histogram;
  /** By outcome of the cache, then of the call: one key for both would have to be put together for every call. */
  readonly calls: Map<string, Counters>;
}

type Counters = Map<string, Counter>;

const newCounters = (): Counters => new Map();
const newUpstreams = (): Map<string, Counters> => new Map();

/** Clients may send any name, so only those of the policy are told apart. */
function methodLabel(method: string): string {
  return supportedMethods.has(method) ? method : "other";
}
