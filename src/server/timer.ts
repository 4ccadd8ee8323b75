import type { Logger } from "pino";

/** Work that a process repeats at an interval. */
export interface Timer {
  /** Begins the next round now; while one runs, right after it. */
  readonly wake: () => void;
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
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
