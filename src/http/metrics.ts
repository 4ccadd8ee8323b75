import { createRequire } from "node:module";

import type * as Prometheus from "prom-client";

/** What the server tells Prometheus. Labels are route patterns, never paths: their number is bounded. */
export interface Metrics {
  /** Where others add what they count. */
  collect(): Collector;
  /** `seconds` from the first byte of the request to the last of the answer. */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/** The Prometheus library, and what `/metrics` shows of it. */
export interface Collector {
  readonly library: typeof Prometheus;
  readonly register: Prometheus.Registry;
}

const require = createRequire(import.meta.url);

/** The library is loaded when the first answer is out: the start does not wait for it. */
export function createMetrics(): Metrics {
  let collected: Metrics | undefined;
  const metrics = (): Metrics => (collected ??= collectMetrics(require("prom-client") as typeof Prometheus));
  return {
    collect: () => metrics().collect(),
    observe: (...answer) => metrics().observe(...answer),
    get contentType() {
      return metrics().contentType;
    },
    render: () => metrics().render(),
  };
}

function collectMetrics(library: typeof Prometheus): Metrics {
  const { collectDefaultMetrics, Counter, Histogram, Registry } = library;
  const register = new Registry();
  collectDefaultMetrics({ register });
  const duration = new Histogram({
    name: "zoneward_http_request_duration_seconds",
    help: "Time to answer a request, by route",
    labelNames: ["method", "route"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [register],
  });
  const answers = new Counter({
    name: "zoneward_http_requests_total",
    help: "Requests answered, by route and status code",
    labelNames: ["method", "route", "status"] as const,
    registers: [register],
  });
  // Looking a series up by its labels costs more than counting: each is looked up once.
  const durations = new Map<string, Prometheus.Histogram.Internal<"method" | "route">>();
  const counts = new Map<string, Prometheus.Counter.Internal>();

  return {
    collect: () => ({ library, register }),
    observe(method, route, status, seconds) {
      const operation = `${method} ${route}`;
      let series = durations.get(operation);
      if (series === undefined) durations.set(operation, (series = duration.labels(method, route)));
      series.observe(seconds);
      const outcome = `${operation} ${status}`;
      let count = counts.get(outcome);
      if (count === undefined) counts.set(outcome, (count = answers.labels(method, route, String(status))));
      count.inc();
    },
    contentType: register.contentType,
    render: () => register.metrics(),
  };
}
