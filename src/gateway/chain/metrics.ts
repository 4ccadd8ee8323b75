import { Counter, Gauge, type Histogram, type Registry } from "prom-client";

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
  const calls = new CallCounts();
  const durations = new CallDurations();
  register.registerMetric(
    new Counter({
      name: "zoneward_gateway_calls_total",
      help: "Calls answered, by outcome of the cache and of the call",
      labelNames: ["network", "method", "cache", "outcome"],
      registers: [],
      collect() {
        for (const { labels, count } of calls.take()) this.inc(labels, count);
      },
    }),
  );
  register.registerMetric(durations as unknown as Histogram);
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
      durations.observe(network, method, seconds);
      calls.add(network, method, cache, outcome);
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

interface CallCount {
  readonly labels: Readonly<Record<"network" | "method" | "cache" | "outcome", string>>;
  count: number;
}

/** Counts calls, as to count each in the metrics would take longer than to answer it out of the cache. */
class CallCounts {
  #counts = new Map<string, CallCount>();

  add(network: string, method: string, cache: string, outcome: string): void {
    const key = `${network} ${method} ${cache} ${outcome}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { labels: { network, method, cache, outcome }, count: 1 });
    else known.count += 1;
  }

  /** Returns the counts since the last call. */
  take(): Iterable<CallCount> {
    const taken = this.#counts;
    this.#counts = new Map();
    return taken.values();
  }
}

interface Durations {
  readonly labels: Readonly<Record<"network" | "method", string>>;
  /** By bucket; the last one is for what is above all bounds. */
  readonly counts: number[];
  seconds: number;
}

/** A histogram of prom-client's kind, which finds the labels of a call in a tenth of the time. */
class CallDurations {
  static readonly #bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  readonly name = "zoneward_gateway_call_duration_seconds";
  readonly help = "Time to answer a call";
  readonly type = "histogram";
  readonly aggregator = "sum";
  readonly #all = new Map<string, Durations>();

  observe(network: string, method: string, seconds: number): void {
    const key = `${network} ${method}`;
    let durations = this.#all.get(key);
    if (durations === undefined) {
      const counts = Array.from({ length: CallDurations.#bounds.length + 1 }, () => 0);
      this.#all.set(key, (durations = { labels: { network, method }, counts, seconds: 0 }));
    }
    let at = 0;
    while (seconds > (CallDurations.#bounds[at] ?? Infinity)) at += 1;
    durations.counts[at] = (durations.counts[at] ?? 0) + 1;
    durations.seconds += seconds;
  }

  get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    const values = Array.from(this.#all.values(), ({ labels, counts, seconds }) => {
      let count = 0;
      const buckets = counts.map((own, at) => {
        count += own;
        const le = CallDurations.#bounds[at] ?? "+Inf";
        return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...buckets,
        { labels, value: seconds, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ];
    });
    return Promise.resolve({ name, help, type, aggregator, values: values.flat() });
  }
}
