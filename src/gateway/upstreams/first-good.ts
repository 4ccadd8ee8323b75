/** The outcome of attempts: a `good` one ends the search, otherwise the next candidate is tried. */
export interface AttemptResult<Good, Other> {
  readonly good?: Good | undefined;
  readonly others: readonly Other[];
}

interface SearchOptions {
  /** After this time the next candidate is tried in parallel; undefined to wait. */
  readonly hedgeMs: number | undefined;
}

/**
 * Tries candidates in order until one is good: the next one after a failure, and once in parallel when the first is late.
 * Aborts the attempts that are in flight at the end. Returns the good outcome, or all others. `attempt` must not reject.
 */
export function firstGood<Candidate, Good, Other>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate, signal: AbortSignal) => Promise<AttemptResult<Good, Other>>,
  { hedgeMs }: SearchOptions,
): Promise<AttemptResult<Good, Other>> {
  return new Promise((resolve, reject) => {
    const failed: Other[] = [];
    const aborts = new Set<AbortController>();
    let next = 0;
    let isOver = false;
    let hedge: NodeJS.Timeout | undefined;

    const end = (good: Good | undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(hedge);
      for (const abort of aborts) abort.abort();
      resolve({ good, others: failed });
    };
    const start = async (candidate: Candidate): Promise<void> => {
      const abort = new AbortController();
      aborts.add(abort);
      const { good, others } = await attempt(candidate, abort.signal);
      aborts.delete(abort);
      if (isOver) return;
      if (good !== undefined) {
        end(good);
        return;
      }
      failed.push(...others);
      if (!startNext() && aborts.size === 0) end(undefined);
    };
    const startNext = (): boolean => {
      const candidate = candidates[next];
      if (candidate === undefined) return false;
      next += 1;
      start(candidate).catch(reject);
      return true;
    };

    if (!startNext()) end(undefined);
    else if (candidates.length > 1 && hedgeMs !== undefined)
      hedge = setTimeout(() => void startNext(), hedgeMs);
  });
}
