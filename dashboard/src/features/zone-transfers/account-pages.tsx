import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { transferAcls } from "./acls.tsx";
import { transferPeers } from "./peers.tsx";
import { tsigs } from "./tsigs.tsx";

const accountRoute = getRouteApi("/shell/accounts/$accountId");

function useAccountOfPage() {
  const { accountId } = accountRoute.useParams();
  return { accountId, account: useApi(call("getAccount", { account_id: accountId })).data?.result };
}

/** The name servers with which an account exchanges zones. */
export function TransferPeersPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const keys = useApi(call("listTsigs", { account_id: accountId }, wholeList)).data?.result;
  const resource = useMemo(() => transferPeers(accountId, keys ?? []), [accountId, keys]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Name servers that fetch zones from here, or from which zones are fetched. Which zone goes to which peer, its page says."
    />
  );
}

/** The keys by which name servers know each other. */
export function TsigsPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const resource = useMemo(() => tsigs(accountId), [accountId]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Both sides of a transfer sign with the same key, under the same name. Secrets are stored encrypted."
    />
  );
}

/** The addresses that may fetch the zones of an account. */
export function TransferAclsPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const resource = useMemo(() => transferAcls(accountId), [accountId]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Addresses that may fetch the zones of the account, besides those of its peers."
    />
  );
}
