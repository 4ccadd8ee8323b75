import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { resourceGroups } from "./resource-groups.tsx";

const route = getRouteApi("/shell/accounts/$accountId/resource-groups");

/** Zones of an account that policies of members name together. */
export function ResourceGroupsPage() {
  const { accountId } = route.useParams();
  const account = useApi(call("getAccount", { account_id: accountId })).data?.result;
  // Every account has a group of its own, which says how the server writes its key.
  const known = useApi(call("listResourceGroups", { account_id: accountId })).data?.result[0]?.scope.key;
  const accountKey = known ?? `com.cloudflare.api.account.${accountId}`;
  const resource = useMemo(() => resourceGroups(accountId, accountKey), [accountId, accountKey]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Zones that policies of members name together."
    />
  );
}
