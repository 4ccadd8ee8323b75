import {
  queryOptions,
  type Query,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";

import type { ApiError } from "./api-error.ts";
import { urlOf, type ApiCall } from "./call.ts";
import { send, type Answer } from "./send.ts";

/** How a call is cached, for whoever needs several at once. */
export const callOptions = <Result>(call: ApiCall<Result>) =>
  queryOptions<Answer<Result>, ApiError>({
    queryKey: ["api", call.path, urlOf(call)],
    queryFn: ({ signal }) => send(call, signal),
  });

interface ApiQueryOptions {
  readonly enabled?: boolean;
  /** Asks again after this many milliseconds while it answers a number. */
  readonly refetchInterval?: number | false;
}

/** What a `GET` answers, kept and asked again as TanStack Query does; a page of a list stays until the next
 * one of that list is there. */
export function useApi<Result>(
  call: ApiCall<Result>,
  { enabled = true, refetchInterval = false }: ApiQueryOptions = {},
): UseQueryResult<Answer<Result>, ApiError> {
  return useQuery({
    ...callOptions(call),
    enabled,
    refetchInterval,
    placeholderData: (before, query) => (query?.queryKey[1] === call.path ? before : undefined),
  });
}

/** Lets every query at `path` and below it be asked again. */
export function invalidate(client: QueryClient, path: string): Promise<void> {
  return client.invalidateQueries({ predicate: isAt(path) });
}

function isAt(path: string): (query: Query) => boolean {
  return ({ queryKey: [kind, at] }) =>
    kind === "api" && typeof at === "string" && (at === path || at.startsWith(`${path}/`));
}

export interface ApiMutationOptions<Result> {
  /** Paths whose queries are stale after a success, with everything below them. */
  readonly invalidates?: readonly string[];
  /** Paths whose answers are forgotten after a success, with everything below them: what they named is gone. */
  readonly removes?: readonly string[];
  readonly onSuccess?: (answer: Answer<Result>) => unknown;
}

/** A call that changes something; its variables make the call. */
export function useApiMutation<Variables, Result>(
  callOf: (variables: Variables) => ApiCall<Result>,
  { invalidates = [], removes = [], onSuccess }: ApiMutationOptions<Result> = {},
): UseMutationResult<Answer<Result>, ApiError, Variables> {
  const client = useQueryClient();
  return useMutation<Answer<Result>, ApiError, Variables>({
    mutationFn: (variables) => send(callOf(variables)),
    onSuccess: async (answer) => {
      const shown = onSuccess?.(answer);
      if (removes.length > 0) {
        // A page that still shows it would ask for it again.
        await shown;
        for (const path of removes) client.removeQueries({ predicate: isAt(path) });
      }
      await Promise.all(invalidates.map((path) => invalidate(client, path)));
    },
  });
}

/** Calls that are sent one after another, up to the first that is refused. */
export function useApiCalls<Variables>(
  callsOf: (variables: Variables) => readonly ApiCall<unknown>[],
  { invalidates = [] }: Pick<ApiMutationOptions<unknown>, "invalidates"> = {},
): UseMutationResult<void, ApiError, Variables> {
  const client = useQueryClient();
  return useMutation<void, ApiError, Variables>({
    mutationFn: async (variables) => {
      for (const call of callsOf(variables)) await send(call);
    },
    // Of calls that came before the refused one something remains.
    onSettled: async () => {
      await Promise.all(invalidates.map((path) => invalidate(client, path)));
    },
  });
}
