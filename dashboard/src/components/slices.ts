import { startTransition, useEffect, useState } from "react";

/** Far below the 50 ms from which on a browser calls a task long. */
const sliceMs = 8;

/** Does work that yields after each small piece, in slices between which the page answers to keys and clicks. */
async function inSlices<Result>(
  work: Generator<undefined, Result>,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result | undefined> {
  for (let end = performance.now() + sliceMs; !signal.aborted;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTask();
    end = performance.now() + sliceMs;
  }
  return undefined;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * The result of the work of `begin`, and until then the previous one. Another `begin`, which has to be stable, begins
 * anew.
 */
export function useSliced<Result>(begin: (() => Generator<undefined, Result>) | undefined): {
  readonly result: Result | undefined;
  readonly isCurrent: boolean;
} {
  const [done, setDone] = useState<{ readonly begin: unknown; readonly result: Result }>();
  useEffect(() => {
    if (begin === undefined) return undefined;
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      const result = await inSlices(begin(), stop);
      // The view of the result is rendered in portions too.
      if (result !== undefined && !stop.signal.aborted) startTransition(() => setDone({ begin, result }));
    };
    void run();
    return () => stop.abort();
  }, [begin]);
  return { result: done?.result, isCurrent: begin !== undefined && done?.begin === begin };
}
