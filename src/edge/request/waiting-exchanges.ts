import { FairList, type FairLink } from "../../core/fair-list.ts";
import { Link, LinkedList } from "../../core/linked-list.ts";
import type { Exchange } from "./exchange.ts";

interface Bounds {
  /** Exchanges that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly sinceMs: number;
  share: FairLink<WaitingExchange> | undefined;
}

/** An exchange that waits. */
export type WaitingExchange = Link<Waiting>;

const sweepMs = 1_000;

/**
 * Requests that wait for their visitors: for a body that rules are to judge, or until more of the answer is taken. Each
 * holds memory, an answer also a connection to the origin, and a connection of HTTP/2 has many. Where more than `max` wait,
 * the one is cut that has waited longest, of a client and an account that have at least an equal part of them; and so is
 * each that has waited for `msMax`.
 */
export class WaitingExchanges {
  readonly #bounds: Bounds;
  readonly #nowMs: () => number;
  /** The one that has waited longest comes first. */
  readonly #waiting = new LinkedList<Waiting>();
  readonly #shares: FairList<WaitingExchange>;
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds, nowMs: () => number) {
    this.#bounds = bounds;
    this.#nowMs = nowMs;
    this.#shares = new FairList({ weightMax: bounds.max, onDrop: (one) => this.#cut(one) });
    this.#sweep = setInterval(() => this.#cutOld(), sweepMs).unref();
  }

  begin(exchange: Exchange): WaitingExchange {
    const one: WaitingExchange = new Link({ exchange, sinceMs: this.#nowMs(), share: undefined });
    this.#waiting.add(one);
    one.value.share = this.#shares.add(one, exchange.owners);
    return one;
  }

  /** Does nothing for an exchange that was cut. */
  end(one: WaitingExchange): void {
    this.#waiting.remove(one);
    if (one.value.share !== undefined) this.#shares.remove(one.value.share);
  }

  /** Waits for what the visitor has to send first. Rejects as `sent` does. */
  async during<T>(exchange: Exchange, sent: Promise<T>): Promise<T> {
    const one = this.begin(exchange);
    try {
      return await sent;
    } finally {
      this.end(one);
    }
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #cutOld(): void {
    const beforeMs = this.#nowMs() - this.#bounds.msMax;
    for (let one = this.#waiting.first; one !== undefined; one = this.#waiting.first) {
      if (one.value.sinceMs > beforeMs) return;
      this.#cut(one);
    }
  }

  #cut(one: WaitingExchange): void {
    this.end(one);
    one.value.exchange.cut();
  }
}
