import { useParams } from "@tanstack/react-router";

import type { Account } from "../../../src/resources/accounts/schema.ts";
import { call } from "../api/call.ts";
import { useApi } from "../api/query.ts";

/** Id of the account whose page this is, and the account itself once it is there. */
export function useAccountOfPage(): { readonly accountId: string; readonly account: Account | undefined } {
  const { accountId } = useParams({ from: "/shell/accounts/$accountId" });
  return { accountId, account: useApi(call("getAccount", { account_id: accountId })).data?.result };
}
