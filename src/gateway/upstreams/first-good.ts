/** The outcome of one or more attempts: `good` ends the search, anything else continues with the next. */
export interface Attempted<Good, Other> {
  readonly good?: Good | undefined;
  readonly others: readonly Other[];
}

interface SearchOptions {
  /** An attempt that takes longer gets company by the next one; undefined for none. */
  readonly hedgeMs: number | undefined;
}

/**
 * Tries candidates in order until one is good. The next one is tried when one fails, and once in parallel when one is
 * late. Attempts still under way at the end are aborted. Answers the good outcome, or all others. `attempt` must not
 * reject.
 */
export function firstGood<Candidate, Good, Other>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate, signal: AbortSignal) => Promise<Attempted<Good, Other>>,
  { hedgeMs }: SearchOptions,
): Promise<Attempted<Good, Other>> {
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
