import { useParams } from "@tanstack/react-router";

import { accountOf, accountPath } from "../../api/accounts.ts";
import { useApi } from "../../api/query.ts";
import { userPath } from "../../api/tokens.ts";

/** Whose tokens a page is about: those of an account, or of the signed-in user. */
export interface TokenOwner {
  /** Its path in the API. */
  readonly path: string;
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
  const account = useApi(accountOf(accountId ?? ""), { enabled: accountId !== undefined }).data?.result;
  const path = accountId === undefined ? userPath : accountPath(accountId);
  const above = accountId === undefined ? "/profile" : path;
  return {
    path,
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
