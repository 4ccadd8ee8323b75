import type { Caller } from "../core/caller.ts";
import { onNewAccount, onUser, onUserOnly, type Permission } from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import type { Context } from "./context.ts";
import { lockUser } from "./scope.ts";
import { lists, reads, writes, type ReadWork, type ScopeKind, type WriteWork } from "./scoped.ts";

interface UserScope {
  /** The calling user. */
  readonly user: { readonly id: string; readonly email: string };
}

/** What an operation that reads something of the calling user gets. */
export type UserRead<Needs extends Context = Context> = ReadWork<UserScope, Needs>;

/** What an operation gets that changes something of the calling user, who is locked meanwhile. */
export type UserWrite<Needs extends Context = Context> = WriteWork<UserScope, Needs>;

/**
 * A permission group on the calling user. `usersOnly` refuses tokens of accounts, `newAccount` refuses
 * callers that may not create accounts.
 */
type UserPermission =
  | GroupName<"user">
  | { readonly usersOnly: GroupName<"user"> }
  | { readonly newAccount: GroupName<"user"> };

const ofUser: ScopeKind<UserScope, UserPermission> = {
  permission: (name): Permission => {
    if (typeof name === "string") return onUser(name);
    return "usersOnly" in name ? onUserOnly(name.usersOnly) : onNewAccount(name.newAccount);
  },
  ofRequest: ({ caller }) => ({ user: (caller as Caller).user as UserScope["user"] }),
  lock: async (tx, scope) => {
    await lockUser(tx, scope.user.id);
    return scope;
  },
  owner: ({ user }) => ({ userId: user.id }),
};

export const userRead = reads(ofUser);
export const userList = lists(ofUser);
export const userWrite = writes(ofUser);
