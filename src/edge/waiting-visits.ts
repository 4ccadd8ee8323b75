import { cut, type Visit } from "./visit.ts";

interface Bounds {
  /** Visits that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

const sweepMs = 1_000;

/**
 * Requests that wait for their visitors: for a body that rules are to judge, or until more of the answer is taken. Each
 * holds memory, an answer also a connection to the origin, and a connection of HTTP/2 has many. The one that has waited
 * longest is cut where more than `max` wait, and each that has waited for `msMax`.
 */
export class WaitingVisits {
  readonly #bounds: Bounds;
  readonly #nowMs: () => number;
  /** Since when, the longest first. */
  readonly #since = new Map<Visit, number>();
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds, nowMs: () => number) {
    this.#bounds = bounds;
    this.#nowMs = nowMs;
    this.#sweep = setInterval(() => this.#cutOld(), sweepMs).unref();
  }

  begin(visit: Visit): void {
    if (this.#since.has(visit)) return;
    this.#since.set(visit, this.#nowMs());
    const [longest] = this.#since.keys();
    if (this.#since.size > this.#bounds.max && longest !== undefined) this.#cut(longest);
  }

  end(visit: Visit): void {
    this.#since.delete(visit);
  }

  /** Waits for what the visitor has to send first. Rejects as `sent` does. */
  async during<T>(visit: Visit, sent: Promise<T>): Promise<T> {
    this.begin(visit);
    try {
      return await sent;
    } finally {
      this.end(visit);
    }
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #cutOld(): void {
    const before = this.#nowMs() - this.#bounds.msMax;
    for (const [visit, since] of this.#since) {
      if (since > before) return;
      this.#cut(visit);
    }
  }

  #cut(visit: Visit): void {
    this.#since.delete(visit);
    cut(visit);
  }
}
