import type { GatewayMetrics } from "./chain/metrics.ts";
import type { NetworkSettings } from "./chain/networks.ts";

/** The calls to one network since the process started. */
interface NetworkActivity {
  readonly calls: number;
  /** Calls that were answered with an error. */
  readonly failed: number;
  readonly cached: number;
  /** Calls in each of the last 60 minutes, the current one last. */
  readonly callsPerMinute: readonly number[];
  readonly upstreams: ReadonlyMap<string, Readonly<UpstreamActivity>>;
}

interface UpstreamActivity {
  requests: number;
  failed: number;
  /** Undefined until the first check. */
  isUsable: boolean | undefined;
  block: number | undefined;
}

/** Counts for the API what is also reported to Prometheus. */
interface Activity {
  readonly metrics: GatewayMetrics;
  readonly of: (network: string) => NetworkActivity;
}

/** Outcomes of requests that do not count as failures of the upstream. */
const notFailed: ReadonlySet<string> = new Set(["ok", "error", "given-up"]);

const minutes = 60;
const minuteMs = 60_000;

/** Counts the calls to each network of this process and forwards them to `metrics`. */
export function createActivity(metrics: GatewayMetrics, now: () => Date): Activity {
  const tallies = new Map<string, Tally>();
  const tallyOf = (network: string): Tally => {
    let tally = tallies.get(network);
    if (tally === undefined) tallies.set(network, (tally = new Tally(now)));
    return tally;
  };
  return {
    metrics: {
      ...metrics,
      called(network, method, cache, outcome, seconds) {
        tallyOf(network).addCall(cache === "HIT", outcome === "ok");
        metrics.called(network, method, cache, outcome, seconds);
      },
      asked(network, upstream, outcome) {
        tallyOf(network).addRequest(upstream, !notFailed.has(outcome));
        metrics.asked(network, upstream, outcome);
      },
      upstreamState(network, upstream, isUsable, block) {
        tallyOf(network).setState(upstream, isUsable, block);
        metrics.upstreamState(network, upstream, isUsable, block);
      },
    },
    of: (network) => tallyOf(network).read(),
  };
}

class Tally {
  readonly #now: () => Date;
  readonly #perMinute = Array.from({ length: minutes }, () => 0);
  readonly #upstreams = new Map<string, UpstreamActivity>();
  #minute: number;
  #calls = 0;
  #failed = 0;
  #cached = 0;

  constructor(now: () => Date) {
    this.#now = now;
    this.#minute = this.#currentMinute();
  }

  addCall(isCached: boolean, isGood: boolean): void {
    this.#advance();
    const place = this.#minute % minutes;
    this.#perMinute[place] = (this.#perMinute[place] ?? 0) + 1;
    this.#calls += 1;
    if (isCached) this.#cached += 1;
    if (!isGood) this.#failed += 1;
  }

  addRequest(name: string, isFailed: boolean): void {
    const upstream = this.#upstreamOf(name);
    upstream.requests += 1;
    if (isFailed) upstream.failed += 1;
  }

  setState(name: string, isUsable: boolean, block: number | undefined): void {
    Object.assign(this.#upstreamOf(name), { isUsable, block });
  }

  read(): NetworkActivity {
    this.#advance();
    const oldest = (this.#minute + 1) % minutes;
    return {
      calls: this.#calls,
      failed: this.#failed,
      cached: this.#cached,
      callsPerMinute: [...this.#perMinute.slice(oldest), ...this.#perMinute.slice(0, oldest)],
      upstreams: new Map(this.#upstreams),
    };
  }

  #upstreamOf(name: string): UpstreamActivity {
    let upstream = this.#upstreams.get(name);
    if (upstream === undefined) {
      upstream = { requests: 0, failed: 0, isUsable: undefined, block: undefined };
      this.#upstreams.set(name, upstream);
    }
    return upstream;
  }

  #currentMinute(): number {
    return Math.floor(this.#now().getTime() / minuteMs);
  }

  /** Clears the minutes that have begun since the last call. */
  #advance(): void {
    const current = this.#currentMinute();
    const passed = Math.min(current - this.#minute, minutes);
    for (let step = 1; step <= passed; step += 1) this.#perMinute[(this.#minute + step) % minutes] = 0;
    if (passed > 0) this.#minute = current;
  }
}

interface NetworkFacts {
  readonly path: string;
  readonly source: "upstreams" | "development_chain" | "none";
  readonly isRetired: boolean;
  readonly activity: NetworkActivity;
}

export type NetworkState = ReturnType<typeof toNetworkState>;

/** A network in `GET /gateway/networks`, without the URLs and headers of upstreams, which may be secret. */
export function toNetworkState(settings: NetworkSettings, facts: NetworkFacts) {
  const { path, source, activity } = facts;
  const { calls, failed, cached, callsPerMinute } = activity;
  return {
    name: settings.name,
    chain_id: settings.chainId,
    path,
    status: statusOf(settings, facts),
    source,
    deprecated_on: settings.deprecatedOn ?? null,
    successor: settings.successor ?? null,
    calls: { total: calls, failed, cached, per_minute: [...callsPerMinute] },
    upstreams: settings.upstreams.map(({ name }) => {
      const known = activity.upstreams.get(name);
      return {
        name,
        usable: known?.isUsable ?? null,
        block: known?.block ?? null,
        requests: known?.requests ?? 0,
        failed: known?.failed ?? 0,
      };
    }),
  };
}

function statusOf(
  { deprecatedOn }: NetworkSettings,
  { source, isRetired }: NetworkFacts,
): "active" | "deprecated" | "retired" | "unconfigured" {
  if (isRetired) return "retired";
  if (source === "none") return "unconfigured";
  return deprecatedOn === undefined ? "active" : "deprecated";
}
