/** Even, so that as many requests are chosen as the intervals say. */
const wholeDefault = 1_000;

interface SamplerOptions {
  /** Requests of a zone in a second of which all are chosen; an even number. */
  readonly whole?: number;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly nowMs?: () => number;
  /** Threads that choose requests, each of those that it serves. */
  readonly threads?: number;
}

interface Seen {
  count: number;
  /** The place of the request that stands for those of its interval. */
  chosen: number;
}

/**
 * Chooses the requests whose security events are stored. Of each zone and second these are the first `whole`, then
 * one in two, and from each doubling of their number on one in twice as many. Which of them is random: no visitor
 * can foresee it.
 */
export class EventSampler {
  readonly #whole: number;
  readonly #random: () => number;
  readonly #nowMs: () => number;
  readonly #byZone = new Map<string, Seen>();
  #second = 0;

  constructor({
    whole = wholeDefault,
    random = Math.random,
    nowMs = () => performance.now(),
    threads = 1,
  }: SamplerOptions = {}) {
    this.#whole = 2 * Math.ceil(whole / 2 / threads);
    this.#random = random;
    this.#nowMs = nowMs;
  }

  /** The number of requests that the events of this one stand for; 0 where they are not stored. */
  intervalOf(zoneId: string): number {
    const second = Math.floor(this.#nowMs() / 1_000);
    if (second !== this.#second) this.#byZone.clear();
    this.#second = second;
    const seen = this.#byZone.get(zoneId) ?? { count: 0, chosen: 0 };
    this.#byZone.set(zoneId, seen);
    const place = seen.count;
    seen.count += 1;
    const interval = this.#intervalAt(place);
    if (place % interval === 0) seen.chosen = place + Math.floor(this.#random() * interval);
    return place === seen.chosen ? interval : 0;
  }

  #intervalAt(place: number): number {
    let interval = 1;
    for (let from = this.#whole; place >= from; from *= 2) interval *= 2;
    return interval;
  }
}
