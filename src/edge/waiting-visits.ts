import { cut, type Visit } from "./visit.ts";

interface Bounds {
  /** Visits that may wait at the same time. */
  readonly max: number;
  /** Milliseconds for which one may wait. */
  readonly msMax: number;
}

const sweepMs = 1_000;

/**
 * Requests whose answers wait until their visitors take more. Each holds memory and a connection to the origin, and a
 * connection of HTTP/2 has many. The one that has waited longest is cut where more than `max` wait, and each that has
 * waited for `msMax`.
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
