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

/** The options of a cached call, for callers that need several at once. */
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

/**
 * The answer to a `GET`, cached and asked for again by TanStack Query. A page of a list stays until its next page is
 * there.
 */
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

/** Lets what is asked at the paths of some calls, and below them, be asked again. */
export async function invalidate(client: QueryClient, ...calls: readonly CalledPath[]): Promise<void> {
  await Promise.all(calls.map(({ path }) => client.invalidateQueries({ predicate: isAt(path) })));
}

type CalledPath = Pick<ApiCall<unknown>, "path">;

function isAt(path: string): (query: Query) => boolean {
  return ({ queryKey: [kind, at] }) =>
    kind === "api" && typeof at === "string" && (at === path || at.startsWith(`${path}/`));
}

/** The answers that a change makes stale: all of its kind in the zone, account or user, as `/zones/{id}/rulesets`. */
function areaOf({ path }: CalledPath): CalledPath {
  return { path: /^(?:\/(?:zones|accounts)\/[^/]+|\/user)?\/[^/]+/.exec(path)?.[0] ?? path };
}

export interface ApiMutationOptions<Result> {
  /** Calls of which more is stale after a success than what `areaOf` tells, with everything below their paths. */
  readonly invalidates?: readonly CalledPath[];
  /** Calls whose answers are forgotten after a success, with everything below their paths: what they named is gone. */
  readonly removes?: readonly CalledPath[];
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
    onSuccess: async (answer, variables) => {
      const shown = onSuccess?.(answer);
      if (removes.length > 0) {
        // A page that still shows it would ask for it again.
        await shown;
        for (const { path } of removes) client.removeQueries({ predicate: isAt(path) });
      }
      await invalidate(client, areaOf(callOf(variables)), ...invalidates);
    },
  });
}

/** Calls that are sent one after another, up to the first that is refused. */
export function useApiCalls<Variables>(
  callsOf: (variables: Variables) => readonly ApiCall<unknown>[],
): UseMutationResult<void, ApiError, Variables> {
  const client = useQueryClient();
  return useMutation<void, ApiError, Variables>({
    mutationFn: async (variables) => {
      for (const call of callsOf(variables)) await send(call);
    },
    // Of calls that came before the refused one something remains.
    onSettled: async (_answer, _error, variables) => invalidate(client, ...callsOf(variables).map(areaOf)),
  });
}
