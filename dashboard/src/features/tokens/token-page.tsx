import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Card, Title } from "@mantine/core";

import type { Token, TokenPermissionGroup, TokenUsage } from "../../../../src/resources/tokens/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { sessionQuery } from "../../api/session.ts";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { bodyOf, draftOf, vendorOf, type TokenDraft } from "./token-draft.ts";
import { TokenForm } from "./token-form.tsx";
import { useTokenOwner } from "./token-owner.ts";
import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";
import { showDone } from "../../components/notices.tsx";

/** Changes everything that a token is but its secret. */
export function TokenPage() {
  const { tokenId = "" } = useParams({ strict: false });
  const { owner, name } = useTokenOwner();
  const request = call("getToken", { ...owner, token_id: tokenId });
  const listGroups = call("listPermissionGroups", owner);
  const token = useApi(request);
  const groups = useApi(listGroups);
  const countRequests = call("getTokenUsage", { ...owner, token_id: tokenId });
  const usage = useApi(countRequests);
  const error = token.error ?? groups.error;
  return (
    <>
      <PageHeader
        title={token.data?.result.name ?? "API token"}
        of={name ?? "API tokens"}
        aside={token.data !== undefined && <StatusBadge status={token.data.result.status} />}
        description={token.data !== undefined && <TokenDates token={token.data.result} />}
        calls={[
          { title: "Get the token", call: request },
          { title: "Count its requests", call: countRequests },
          { title: "List the permission groups", call: listGroups },
        ]}
      />
      {usage.data !== undefined && <TokenUse days={usage.data.result.days} />}
      {token.data !== undefined && groups.data !== undefined ? (
        <Edit key={tokenId} token={token.data.result} groups={groups.data.result} />
      ) : (
        <Pending height={320} title="This token could not be shown" error={error} />
      )}
    </>
  );
}

function TokenDates({ token: { issued_on, modified_on, last_used_on } }: { readonly token: Token }) {
  return (
    <>
      Made <Timestamp at={issued_on} />, changed <Timestamp at={modified_on} />,{" "}
      {last_used_on === null ? (
        "never used."
      ) : (
        <>
          last used <Timestamp at={last_used_on} />.
        </>
      )}
    </>
  );
}

interface EditProps {
  readonly token: Token;
  readonly groups: readonly TokenPermissionGroup[];
}

function Edit({ token, groups }: EditProps) {
  const navigate = useNavigate();
  const { owner, page, accountId } = useTokenOwner();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const callOf = (draft: TokenDraft) =>
    call(
      "replaceToken",
      { ...owner, token_id: token.id },
      bodyOf(draft, { vendor: vendorOf(groups), userId: user.id }),
    );
  const leave = ({ ignoreBlocker = false } = {}): void => void navigate({ to: page, ignoreBlocker });
  const { mutate, isPending, error } = useApiMutation(callOf, {
    onSuccess: ({ result }) => {
      showDone(`${result.name} was saved. Its secret is unchanged.`);
      leave({ ignoreBlocker: true });
    },
  });
  return (
    <TokenForm
      initial={draftOf(token, groups, accountId)}
      groups={groups}
      action="Save"
      pending={isPending}
      error={error}
      callOf={callOf}
      onSubmit={mutate}
      onCancel={() => leave()}
    />
  );
}

/** Requests that carried the token on each of the last days. */
function TokenUse({ days }: TokenUsage) {
  const perDay = days.map(({ requests }) => requests);
  const sum = perDay.reduce((total, requests) => total + requests, 0);
  const summary = `${counted(sum, "request")} in the last ${days.length} days, at most ${Math.max(...perDay).toLocaleString("en")} in one`;
  return (
    <Card withBorder padding="lg" mb="lg">
      <Title order={2} mb="md">
        Use
      </Title>
      <Bars values={perDay} summary={summary} />
    </Card>
  );
}
