import type { Logger } from "pino";

/** Work that a process repeats at an interval. */
export interface Timer {
  /** Begins the next round now; while one runs, right after it. */
  readonly wake: () => void;
  /** Runs a round, after the one that runs, and resolves when it has ended. */
  readonly round: () => Promise<void>;
  /** Begins no further round and waits for the one that runs. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs `round` again and again, `ms` after the last one ended. One that fails is logged with the name of its `task`.
 */
export function repeat(task: string, ms: number, round: () => Promise<void>, logger: Logger): Timer {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  const run = async (): Promise<void> => {
    isWanted = false;
    try {
      await round();
    } catch (error) {
      if (!isStopped) logger.error({ task, err: error }, "a timer failed");
    }
    running = undefined;
    if (!isStopped) timer = setTimeout(start, isWanted ? 0 : ms).unref();
  };
  const start = (): void => void (running = run());
  timer = setTimeout(start, ms).unref();
  return {
    wake: () => {
      isWanted = true;
      if (isStopped || running !== undefined) return;
      clearTimeout(timer);
      timer = setTimeout(start, 0).unref();
    },
    round: async () => {
      await running;
      if (isStopped) return;
      clearTimeout(timer);
      await (running ??= run());
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Finds when a timer's next work becomes due; undefined for never. */
export type NextDue = () => Promise<Date | undefined>;

export class Timers {
  readonly #logger: Logger;
  readonly #around: (round: () => Promise<void>) => Promise<void>;
  readonly #all: { readonly timer: Timer; readonly nextDue: NextDue | undefined }[] = [];

  /** `around` runs each round. */
  constructor(logger: Logger, around: (round: () => Promise<void>) => Promise<void> = (round) => round()) {
    this.#logger = logger;
    this.#around = around;
  }

  /**
   * Repeats a task as the function `repeat` does. Give `nextDue` where it matters in which order the work of several
   * timers becomes due.
   */
  repeat(task: string, ms: number, round: () => Promise<void>, nextDue?: NextDue): Timer {
    const timer = repeat(task, ms, () => this.#around(round), this.#logger);
    this.#all.push({ timer, nextDue });
    return timer;
  }

  /** The earliest time at which anything becomes due. */
  async nextDue(): Promise<Date | undefined> {
    const times = await Promise.all(this.#all.flatMap(({ nextDue }) => nextDue?.() ?? []));
    const [first] = times
      .filter((time) => time !== undefined)
      .toSorted((one, other) => one.getTime() - other.getTime());
    return first;
  }

  /** One round of each timer, in the order in which they were started. */
  async round(): Promise<void> {
    for (const { timer } of this.#all) await timer.round();
  }
}
