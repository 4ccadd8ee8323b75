import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";

import type { ReplayProgress, ReplayReport } from "../../../../src/resources/waf-replay/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call, type ApiCall } from "../../api/call.ts";
import { invalidate } from "../../api/query.ts";
import { sendFollowed } from "../../api/send.ts";

interface Replay {
  /** Answers undefined where it was cancelled. */
  readonly mutation: UseMutationResult<ReplayReport | undefined, ApiError, ApiCall<ReplayReport>>;
  /** The last that the server said. */
  readonly progress: ReplayProgress | undefined;
  /** Ends it on the server too. */
  readonly cancel: () => void;
}

/** Replays a recording while the page is open, and follows how far it is. */
export function useReplay(): Replay {
  const client = useQueryClient();
  const [progress, setProgress] = useState<ReplayProgress>();
  const leaving = useRef<AbortController>(null);
  const cancel = useCallback(() => leaving.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const mutation = useMutation<ReplayReport | undefined, ApiError, ApiCall<ReplayReport>>({
    mutationFn: async (replay) => {
      setProgress(undefined);
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      try {
        const follow = (said: unknown): void => setProgress(said as ReplayProgress);
        return (await sendFollowed(replay, follow, signal)).result;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    // What was judged until then has its events, however it ended.
    onSettled: () => invalidate(client, call("queryGraphql", {}, { query: "" })),
  });
  return { mutation, progress, cancel };
}
