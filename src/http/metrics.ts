import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import type { Metric, MetricValueWithName } from "prom-client";

/** What the server tells Prometheus. Labels are route patterns, never paths: their number is bounded. */
export interface Metrics {
  /** Where others add what they count. */
  readonly register: Registry;
  /** `seconds` from the first byte of the request to the last of the answer. */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/** Metrics of one server, with those of the process. */
export function createMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const openDurations = openByLabels(register, Histogram, ["method", "route"], {
    name: "zoneward_http_request_duration_seconds",
    help: "Time to answer a request, by route",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const openCount = openByLabels(register, Counter, ["method", "route", "status"], {
    name: "zoneward_http_requests_total",
    help: "Requests answered, by route and status code",
  });
  const durations = new Map<string, Histogram>();
  const counts = new Map<string, Counter>();

  return {
    register,
    observe(method, route, status, seconds) {
      const operation = `${method} ${route}`;
      seriesOf(durations, operation, () => openDurations(method, route)).observe(seconds);
      seriesOf(counts, `${operation} ${status}`, () => openCount(method, route, String(status))).inc();
    },
    contentType: register.contentType,
    render: () => register.metrics(),
  };
}

type Countable = Counter | Histogram;

/**
 * Registers a metric each series of which is one of the library without labels: a labelled one looks its series up by
 * their values at every count, which costs several times what counting does. Answers what opens the series of these
 * values, to be called once for each.
 */
export function openByLabels<Series extends Countable, Configuration extends { readonly name: string }>(
  register: Registry,
  Metric: new (configuration: Configuration & { registers: [] }) => Series,
  labelNames: readonly string[],
  configuration: Configuration,
): (...values: readonly string[]) => Series {
  const opened: { readonly series: Series; readonly labels: Readonly<Record<string, string>> }[] = [];
  const open = (): Series => new Metric({ ...configuration, registers: [] });
  const get = async (): Promise<unknown> => {
    const values = opened.map(async ({ series, labels }) => {
      const shown: readonly MetricValueWithName<string>[] = (await series.get()).values;
      return shown.map(({ metricName, value, labels: own }) => ({
        metricName,
        value,
        labels: { ...own, ...labels },
      }));
    });
    return { ...(await open().get()), values: (await Promise.all(values)).flat() };
  };
  // What the register asks of a metric is its name and what it shows; the types name the library's own classes.
  register.registerMetric({ name: configuration.name, get } as unknown as Metric);
  return (...values) => {
    const series = open();
    opened.push({
      series,
      labels: Object.fromEntries(labelNames.map((name, at) => [name, values[at] ?? ""])),
    });
    return series;
  };
}

/** The series kept under `key`, opened where there is none. */
export function seriesOf<Key, Series>(known: Map<Key, Series>, key: Key, open: () => Series): Series {
  let series = known.get(key);
  if (series === undefined) known.set(key, (series = open()));
  return series;
}
