import { getRouteApi } from "@tanstack/react-router";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { EdgesTable } from "./edges-table.tsx";

const route = getRouteApi("/shell/accounts/$accountId/edges");

/** The edges that serve the zones of all accounts. */
export function EdgesPage() {
  const { accountId } = route.useParams();
  const account = useApi(call("getAccount", { account_id: accountId })).data?.result;
  return (
    <>
      <PageHeader
        title="Edges"
        of={account?.name}
        description="They serve visitors and judge their requests, for the zones of all accounts."
        calls={[{ title: "Tell which edges run", call: call("getEdges", { account_id: accountId }) }]}
      />
      <EdgesTable accountId={accountId} />
    </>
  );
}
