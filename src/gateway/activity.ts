import type { GatewayMetrics } from "./gateway-metrics.ts";

/** What the gateway did for one network since the process started. */
export interface NetworkActivity {
  readonly calls: number;
  /** Of these, calls that were answered by an error. */
  readonly failed: number;
  /** Of these, calls that were answered out of the cache. */
  readonly cached: number;
  /** Calls of each of the last 60 minutes: the oldest first, the last one the minute that is running. */
  readonly callsPerMinute: readonly number[];
  /** By the upstream's name; one that was never asked or looked at is missing. */
  readonly upstreams: ReadonlyMap<string, Readonly<UpstreamActivity>>;
}

interface UpstreamActivity {
  requests: number;
  failed: number;
  /** Undefined while nobody has looked. */
  isUsable: boolean | undefined;
  block: number | undefined;
}

/** Notes what the gateway tells Prometheus, for those who look at it. */
export interface Activity {
  /** To be told in place of the metrics, which are told as well. */
  readonly metrics: GatewayMetrics;
  readonly of: (network: string) => NetworkActivity;
}

/** What speaks for an upstream, or not against it: an answer, also one that is an error of the call; to be overtaken. */
const good: ReadonlySet<string> = new Set(["ok", "error", "given-up"]);

const minutes = 60;
const minuteMs = 60_000;

/** Counts by network what `metrics` is told; the counts are of this process. */
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
        tallyOf(network).addRequest(upstream, !good.has(outcome));
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

  /** Empties the minutes that have passed since the last look. */
  #advance(): void {
    const current = this.#currentMinute();
    const passed = Math.min(current - this.#minute, minutes);
    for (let step = 1; step <= passed; step += 1) this.#perMinute[(this.#minute + step) % minutes] = 0;
    if (passed > 0) this.#minute = current;
  }
}
