import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

import type { Session } from "../../../../src/resources/sessions/schema.ts";
import { sessionQuery } from "../../api/session.ts";

/** Goes on with a session that has just begun, in place of the page that began it. */
export function useEnter(): (session: Session, next?: string) => void {
  const client = useQueryClient();
  const router = useRouter();
  return useCallback(
    (session, next = "/") => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      router.history.replace(next);
    },
    [client, router],
  );
}
