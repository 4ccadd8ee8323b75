import { onAccount, onOwnAccount } from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import type { Context } from "./context.ts";
import { lockAccount } from "./scope.ts";
import {
  cursorLists,
  lists,
  reads,
  writes,
  type ReadWork,
  type ScopeKind,
  type WriteWork,
} from "./scoped.ts";

interface AccountScope {
  readonly accountId: string;
}

/** What an operation that reads in an account gets. */
export type AccountRead<Needs extends Context = Context> = ReadWork<AccountScope, Needs>;

/** What an operation gets that changes something of an account, which is locked meanwhile. */
export type AccountWrite<Needs extends Context = Context> = WriteWork<AccountScope, Needs>;

/** A permission group on the account that the path names, or any of several; or what every role has. */
type AccountPermission = GroupName<"account"> | readonly GroupName<"account">[] | "any role";

const ofAccount: ScopeKind<AccountScope, AccountPermission> = {
  permission: (names) => {
    if (names === "any role") return onOwnAccount;
    return typeof names === "string" ? onAccount(names) : onAccount(...names);
  },
  ofRequest: ({ params }) => ({ accountId: params["account_id"] ?? "" }),
  lock: async (tx, scope) => {
    await lockAccount(tx, scope.accountId);
    return scope;
  },
  owner: (scope) => scope,
};

export const accountRead = reads(ofAccount);
export const accountList = lists(ofAccount);
export const accountCursorList = cursorLists(ofAccount);
export const accountWrite = writes(ofAccount);
