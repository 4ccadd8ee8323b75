import { FairList, type FairLink } from "../../core/fair-list.ts";
import { Link, LinkedList } from "../../core/linked-list.ts";
import { cut, type Visit } from "../connections/visit.ts";
import { ownersOf, type Visited } from "./visited.ts";

interface Bounds {
  /** Visits that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

interface Waiting {
  readonly visit: Visit;
  readonly sinceMs: number;
  share: FairLink<WaitingVisit> | undefined;
}

/** A visit that waits. */
export type WaitingVisit = Link<Waiting>;

/** A visit to a zone, which has a client. */
type Way = Pick<Visited, "zone" | "address"> & { readonly visit: Visit };

const sweepMs = 1_000;

/**
 * Requests that wait for their visitors: for a body that rules are to judge, or until more of the answer is taken. Each
 * holds memory, an answer also a connection to the origin, and a connection of HTTP/2 has many. Where more than `max` wait,
 * the one is cut that has waited longest, of a client and an account that have at least an equal part of them; and so is
 * each that has waited for `msMax`.
 */
export class WaitingVisits {
  readonly #bounds: Bounds;
  readonly #nowMs: () => number;
  /** The one that has waited longest comes first. */
  readonly #waiting = new LinkedList<Waiting>();
  readonly #shares: FairList<WaitingVisit>;
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds, nowMs: () => number) {
    this.#bounds = bounds;
    this.#nowMs = nowMs;
    this.#shares = new FairList({ weightMax: bounds.max, onDrop: (one) => this.#cut(one) });
    this.#sweep = setInterval(() => this.#cutOld(), sweepMs).unref();
  }

  begin(way: Way): WaitingVisit {
    const one: WaitingVisit = new Link({ visit: way.visit, sinceMs: this.#nowMs(), share: undefined });
    this.#waiting.add(one);
    one.value.share = this.#shares.add(one, ownersOf(way));
    return one;
  }

  /** Does nothing for a visit that was cut. */
  end(one: WaitingVisit): void {
    this.#waiting.remove(one);
    if (one.value.share !== undefined) this.#shares.remove(one.value.share);
  }

  /** Waits for what the visitor has to send first. Rejects as `sent` does. */
  async during<T>(way: Way, sent: Promise<T>): Promise<T> {
    const one = this.begin(way);
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

  #cut(one: WaitingVisit): void {
    this.end(one);
    cut(one.value.visit);
  }
}
