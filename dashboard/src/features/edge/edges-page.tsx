import { useAccountOfPage } from "../../components/account-of-page.ts";
import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { EdgesTable } from "./edges-table.tsx";

/** The edges that serve the zones of all accounts. */
export function EdgesPage() {
  const { accountId, account } = useAccountOfPage();
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
