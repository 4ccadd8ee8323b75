import { Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Session } from "../../../../src/resources/sessions/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { takeBegun } from "./single-sign-on-button.tsx";
import { SessionCard, useEnter } from "./session-card.tsx";

/** Finishes what the provider of single sign-on sent the browser back for. */
export function SingleSignOnPage() {
  const [begun] = useState(takeBegun);
  const [url] = useState(() => window.location.href);
  const enter = useEnter();
  const { data: session, error } = useQuery<Session, ApiError>({
    queryKey: ["single-sign-on", url],
    queryFn: () => resultOf(call("finishSingleSignOn", {}, { secret: begun?.secret ?? "", url })),
    enabled: begun !== undefined,
    // The provider's answer is good once.
    retry: false,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (session !== undefined) enter(session, begun?.next);
  }, [session, enter, begun]);
  const hasFailed = error !== null || begun === undefined;
  return (
    <SessionCard title="Single sign-on">
      <Stack>
        <ErrorAlert title="Sign-in failed" error={error} />
        {begun === undefined && <Text size="sm">This browser has not begun to sign in.</Text>}
        {hasFailed ? <AnchorLink to="/sign-in">Begin again</AnchorLink> : <Loader aria-label="Signing in" />}
      </Stack>
    </SessionCard>
  );
}
