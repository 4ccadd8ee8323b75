import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

/** The metrics of one server. Labels are route patterns, never paths, so that their number is bounded. */
export interface Metrics {
  /** For further metrics of other parts of the server. */
  readonly register: Registry;
  /** Counts an answered request; `seconds` from its first byte to the last one of the answer. */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/** Creates the metrics of a server, with those of its process. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
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
