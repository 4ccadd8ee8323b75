import { invalidIdentifier } from "../core/error.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import { selectAccountForChange, selectUserForChange, selectZone, selectZoneForChange } from "./store.ts";
import {
  onVisibleZone,
  onZone,
  type Permission,
  onAccount,
  onOwnAccount,
  onNewAccount,
  onUser,
  onUserOnly,
  listed,
} from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import type { Context } from "./context.ts";
import {
  lists,
  reads,
  texts,
  uploads,
  writes,
  type ReadWork,
  type ScopeKind,
  type WriteWork,
  cursorLists,
} from "./scoped.ts";
import type { Caller } from "../core/policy/caller.ts";
import type { Actor } from "./audit.ts";
import { unitOfWork, type ChangeWork } from "./unit-of-work.ts";

/** Errors: 404 code 1001. */
export async function findZone(db: Db, id: string): Promise<ZoneRow> {
  return (await selectZone(db, id)) ?? unknown("zone");
}

/** Locks the zone and what is in it until the transaction ends. Errors: 404 code 1001. */
export async function lockZone(tx: Db, id: string): Promise<ZoneRow> {
  return (await selectZoneForChange(tx, id)) ?? unknown("zone");
}

/** Locks the account and its memberships until the transaction ends. Errors: 404 code 1001. */
export async function lockAccount(tx: Db, id: string): Promise<void> {
  if ((await selectAccountForChange(tx, id)) === undefined) unknown("account");
}

/** Locks the user and what belongs to it until the transaction ends. Errors: 404 code 1001. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  if ((await selectUserForChange(tx, id)) === undefined) unknown("user");
}

function unknown(noun: string): never {
  throw invalidIdentifier(noun);
}

export interface ZoneScope {
  readonly zone: ZoneRow;
}

export type ZoneRead<Needs extends Context = Context> = ReadWork<ZoneScope, Needs>;

/** The work of an operation that changes something in a zone, which is locked meanwhile. */
export type ZoneWrite<Needs extends Context = Context> = WriteWork<ZoneScope, Needs>;

/** A permission group on the zone that the path names; `visible`: any group will do. */
export type ZonePermission = GroupName<"zone"> | "visible";

/** Operations on the zone that the path names. */
export const ofZone: ScopeKind<ZoneScope, ZonePermission> = {
  permission: (name): Permission => (name === "visible" ? onVisibleZone : onZone(name)),
  ofRequest: ({ scope }) => ({ zone: scope as ZoneRow }),
  lock: async (tx, { params }) => ({ zone: await lockZone(tx, params["zone_id"] ?? "") }),
  zoneId: ({ params }) => params["zone_id"],
  owner: ({ zone }) => ({ zone }),
};

export const zoneRead = reads(ofZone);
export const zoneList = lists(ofZone);
export const zoneText = texts(ofZone);
export const zoneUpload = uploads(ofZone);
export const zoneWrite = writes(ofZone);

interface AccountScope {
  readonly accountId: string;
}

export type AccountRead<Needs extends Context = Context> = ReadWork<AccountScope, Needs>;

/** The work of an operation that changes something of an account, which is locked meanwhile. */
export type AccountWrite<Needs extends Context = Context> = WriteWork<AccountScope, Needs>;

/** A permission group on the account that the path names, or any of several; or what every role has. */
type AccountPermission = GroupName<"account"> | readonly GroupName<"account">[] | "any role";

const ofAccount: ScopeKind<AccountScope, AccountPermission> = {
  permission: (names) => {
    if (names === "any role") return onOwnAccount;
    return typeof names === "string" ? onAccount(names) : onAccount(...names);
  },
  ofRequest: ({ params }) => ({ accountId: params["account_id"] ?? "" }),
  lock: async (tx, request) => {
    const scope = ofAccount.ofRequest(request);
    await lockAccount(tx, scope.accountId);
    return scope;
  },
  owner: (scope) => scope,
};

export const accountRead = reads(ofAccount);
export const accountList = lists(ofAccount);
export const accountCursorList = cursorLists(ofAccount);
export const accountWrite = writes(ofAccount);

interface UserScope {
  readonly user: { readonly id: string; readonly email: string };
}

/** The work of an operation that reads something of the calling user. */
export type UserRead<Needs extends Context = Context> = ReadWork<UserScope, Needs>;

/** The work of an operation that changes something of the calling user, who is locked meanwhile. */
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
  lock: async (tx, request) => {
    const scope = ofUser.ofRequest(request);
    await lockUser(tx, scope.user.id);
    return scope;
  },
  owner: ({ user }) => ({ userId: user.id }),
};

export const userRead = reads(ofUser);
export const userList = lists(ofUser);
export const userWrite = writes(ofUser);

/** The work of a read that answers everything which the caller may see. */
export type CollectionRead<Needs extends Context = Context> = ReadWork<object, Needs>;

const ofNothing: ScopeKind<object, "listed"> = {
  permission: () => listed,
  ofRequest: () => ({}),
  lock: async () => ({}),
  owner: () => undefined,
};

/** A read that any caller may make, and that leaves out what the caller may not see. */
export const collectionRead = reads(ofNothing);
/** The same as a paginated list. */
export const collectionList = lists(ofNothing);

export interface ZoneChangeWork<Needs extends Context = Context> extends ChangeWork {
  readonly zone: ZoneRow;
  readonly context: Needs;
  readonly now: Date;
}

/**
 * A unit of work on a zone for a task or a timer, which is not authorized as a request is. Errors: 404 code
 * 1001.
 */
export function zoneUnitOfWork<Needs extends Context, Result>(
  context: Needs,
  actor: Actor,
  zoneId: string,
  run: (work: ZoneChangeWork<Needs>) => Promise<Result>,
): Promise<Result> {
  return unitOfWork(
    context,
    actor,
    async (tx) => {
      const zone = await lockZone(tx, zoneId);
      return { scope: { zone, context, now: context.now() }, owner: { zone } };
    },
    run,
    zoneId,
  );
}
