import { LruMap } from "../../core/lru-map.ts";

const keptMs = 10_000;
const targetsMax = 10_000;

interface Target {
  readonly address: string;
  readonly port: number;
}

/** Remembers for a while which targets accepted no connection, so that not every request tries them first. */
export class Refusals {
  readonly #nowMs: () => number;
  readonly #until = new LruMap<string, number>(targetsMax);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(target: Target): void {
    this.#until.set(keyOf(target), this.#nowMs() + keptMs);
  }

  /** The same targets, with those that accepted no connection at the end. */
  behind<T extends Target>(targets: readonly T[]): readonly T[] {
    if (targets.length < 2 || this.#until.size === 0) return targets;
    const now = this.#nowMs();
    const { taken = [], refused = [] } = Object.groupBy(targets, (target) =>
      (this.#until.get(keyOf(target)) ?? 0) > now ? "refused" : "taken",
    );
    return [...taken, ...refused];
  }
}

const keyOf = ({ address, port }: Target): string => `${address} ${port}`;
