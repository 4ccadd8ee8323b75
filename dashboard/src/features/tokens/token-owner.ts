import { useParams } from "@tanstack/react-router";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";

/** The account, or the signed-in user, whose tokens a page shows. */
export interface TokenOwner {
  /** Parameters of calls that tell the owner. */
  readonly owner: { readonly account_id: string } | Readonly<Record<string, never>>;
  /** The address of the list of its tokens; what is made of one, and a new one, is below it. */
  readonly page: string;
  /** The address of what permissions let do. */
  readonly permissionsPage: string;
  /** Undefined for the user. */
  readonly accountId: string | undefined;
  /** The name of the account, once it is loaded. */
  readonly name: string | undefined;
}

export function useTokenOwner(): TokenOwner {
  const { accountId } = useParams({ strict: false });
  const account = useApi(call("getAccount", { account_id: accountId ?? "" }), {
    enabled: accountId !== undefined,
  }).data?.result;
  const above = accountId === undefined ? "/profile" : `/accounts/${accountId}`;
  return {
    owner: accountId === undefined ? {} : { account_id: accountId },
    page: `${above}/tokens`,
    permissionsPage: `${above}/permission-groups`,
    accountId,
    name: account?.name,
  };
}

/** The address of a token below that of the list; `new` for one to be made. */
export function tokenAddress(page: string, tokenId: string): string {
  return `${page}/${tokenId}`;
}
