import { QueryCache, MutationCache, QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api/api-error.ts";
import { isSignedOut, sessionEndQuery, sessionQuery } from "./api/session.ts";

/** Refusals are final; only what the network did is tried again, once. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/**
 * The cache of all answers. A refusal of credentials by any call asks whether the session still stands; where it
 * does not, the frame asks for the password in place, so that the page keeps what was typed.
 */
export function createAppQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (isSignedOut(error)) void checkSession(error);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== sessionQuery.queryKey[0]) onError(error);
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A call that cannot be sent fails at once. It would be sent later without a word, perhaps from a page that was
      // left.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => failures < 1 && mayPass(error),
      },
    },
  });

  const checkSession = async (refusal: Error): Promise<void> => {
    // A user who is about to sign in has no session to lose.
    if (client.getQueryData(sessionQuery.queryKey) === undefined) return;
    if (client.getQueryData(sessionEndQuery.queryKey)?.hasEnded === true) return;
    try {
      await client.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
    } catch (error) {
      if (!isSignedOut(error)) return;
      client.setQueryData(sessionEndQuery.queryKey, (end) => ({
        hasEnded: true,
        refusals: [...(end?.refusals ?? []), refusal],
      }));
    }
  };
  return client;
}
