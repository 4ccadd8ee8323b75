import { QueryCache, MutationCache, QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api/api-error.ts";
import { isSignedOut, sessionQuery } from "./api/session.ts";
import type { AppRouter } from "./router.ts";

/** Refusals are final; only what the network did is tried again, once. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/**
 * The cache of all answers. A refusal of credentials by any call asks whether the session still stands, and leads to
 * the sign-in page where it does not.
 */
export function createAppQueryClient(router: () => AppRouter): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) void leaveWithoutSession();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (failures, error) => failures < 1 && mayPass(error) },
    },
  });

  const leaveWithoutSession = async (): Promise<void> => {
    const { location } = router().state;
    // Whoever is about to sign in has no session to lose.
    if (client.getQueryData(sessionQuery.queryKey) === undefined) return;
    try {
      await client.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
    } catch (error) {
      if (!isSignedOut(error)) return;
      client.clear();
      await router().navigate({ to: "/sign-in", search: { next: location.href, reason: "expired" } });
    }
  };
  return client;
}
