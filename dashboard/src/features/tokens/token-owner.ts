import { useParams } from "@tanstack/react-router";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";

/** Whose tokens a page is about: those of an account, or of the signed-in user. */
export interface TokenOwner {
  /** Says to a call whose tokens are meant. */
  readonly owner: { readonly account_id: string } | Readonly<Record<string, never>>;
  /** The address of the list of its tokens; what is made of one, and a new one, is below it. */
  readonly page: string;
  /** The address of what permissions let do. */
  readonly permissionsPage: string;
  /** Undefined for the user. */
  readonly accountId: string | undefined;
  /** Of the account, once it is there. */
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
