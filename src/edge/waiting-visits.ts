import { Link, LinkedList } from "../core/linked-list.ts";
import { cut, type Visit } from "./visit.ts";

interface Bounds {
  /** Visits that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

interface Waiting {
  readonly visit: Visit;
  readonly sinceMs: number;
}

/** A visit that waits. */
export type WaitingVisit = Link<Waiting>;

const sweepMs = 1_000;

/**
 * Requests that wait for their visitors: for a body that rules are to judge, or until more of the answer is taken. Each
 * holds memory, an answer also a connection to the origin, and a connection of HTTP/2 has many. The one that has waited
 * longest is cut where more than `max` wait, and each that has waited for `msMax`.
 */
export class WaitingVisits {
  readonly #bounds: Bounds;
  readonly #nowMs: () => number;
  /** The one that has waited longest comes first. */
  readonly #waiting = new LinkedList<Waiting>();
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds, nowMs: () => number) {
    this.#bounds = bounds;
    this.#nowMs = nowMs;
    this.#sweep = setInterval(() => this.#cutOld(), sweepMs).unref();
  }

  begin(visit: Visit): WaitingVisit {
    const one: WaitingVisit = new Link({ visit, sinceMs: this.#nowMs() });
    this.#waiting.add(one);
    const { first, size } = this.#waiting;
    if (size > this.#bounds.max && first !== undefined) this.#cut(first);
    return one;
  }

  /** Does nothing for a visit that was cut. */
  end(one: WaitingVisit): void {
    this.#waiting.remove(one);
  }

  /** Waits for what the visitor has to send first. Rejects as `sent` does. */
  async during<T>(visit: Visit, sent: Promise<T>): Promise<T> {
    const one = this.begin(visit);
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
    this.#waiting.remove(one);
    cut(one.value.visit);
  }
}
