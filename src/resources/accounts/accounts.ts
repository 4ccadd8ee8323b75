import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { account } from "../../core/policy/permission-groups.ts";
import {
  blocksOfRoles,
  findRole,
  superAdministratorId,
  type RolesInAccount,
} from "../../core/policy/roles.ts";
import { visibleAccounts } from "../../core/policy/visibility.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { AccountRow, Db } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import type { Account, ListAccountsQuery, ListMembershipsQuery, Membership } from "./schema.ts";
import {
  insertAccount,
  insertMembership,
  selectAccount,
  selectAcceptedMemberships,
  selectAccounts,
  selectMemberships,
  type MembershipWithAccount,
} from "./store.ts";

export async function listAccounts(
  { db }: Context,
  caller: Caller,
  query: ListAccountsQuery,
  page: PageRequest<"name" | "id">,
): Promise<Page<Account>> {
  if (caller.user === undefined) {
    throw new AppError("invalid", 1001, "List accounts endpoint does not support account owned tokens.");
  }
  const readable = visibleAccounts(caller.grants, account("Account Settings Read"));
  const filter = { name: query.name || undefined };
  const { items, totalCount } = await selectAccounts(db.read, readable, filter, page);
  return { items: items.map(toAccount), totalCount };
}

/** Errors: 404 code 1001. */
export async function getAccount({ db }: Context, id: string): Promise<Account> {
  return toAccount(await findAccount(db.read, id));
}

export async function listMemberships(
  { db }: Context,
  caller: Caller,
  query: ListMembershipsQuery,
  page: PageRequest<"id" | "account.name" | "status">,
): Promise<Page<Membership>> {
  const filter = { accountName: (query["account.name"] ?? query.name) || undefined, status: query.status };
  const { items, totalCount } = await selectMemberships(db.read, caller.user?.id ?? "", filter, page);
  return { items: items.map(toMembership), totalCount };
}

/**
 * Makes an account, with `owner` as its super administrator where one is given; part of the caller's
 * transaction. Answers its id.
 */
export async function addAccount(
  { now, newId }: Context,
  tx: Db,
  {
    name,
    owner,
  }: { readonly name: string; readonly owner?: { readonly userId: string; readonly email: string } },
): Promise<string> {
  const id = newId();
  const created_on = toTimestamp(now());
  await insertAccount(tx, { id, name, name_folded: name.toLowerCase(), created_on });
  if (owner === undefined) return id;
  await insertMembership(tx, {
    id: newId(),
    account_id: id,
    user_id: owner.userId,
    email_folded: owner.email.toLowerCase(),
    status: "accepted",
    roles: toJson([superAdministratorId]),
    invited_by: null,
    expires_on: null,
    created_on,
  });
  return id;
}

/** The user's roles in each account in which it has an accepted membership, the oldest first. */
export async function listRolesOfUser(db: Db, userId: string): Promise<RolesInAccount[]> {
  const rows = await selectAcceptedMemberships(db, userId);
  return rows.map((row) => ({ accountId: row.account_id, roleIds: fromJson(row.roles) }));
}

/** The memberships of one user, in the form that `GET /user` answers as `organizations`. */
export async function listOrganizationsOfUser(db: Db, userId: string) {
  const everything = { page: 1, perPage: 1_000, order: "account.name", direction: "asc" } as const;
  const { items } = await selectMemberships(
    db,
    userId,
    { accountName: undefined, status: undefined },
    everything,
  );
  return items.map((row) => ({
    id: row.account_id,
    name: row.account_name,
    status: row.status === "accepted" ? "member" : "invited",
    permissions: [],
    roles: fromJson(row.roles).flatMap((id) => findRole(id)?.name ?? []),
  }));
}

/** Errors: 404 code 1001. */
export async function findAccount(db: Db, id: string): Promise<AccountRow> {
  const row = await selectAccount(db, id);
  if (row === undefined) throw new AppError("not-found", 1001, "Invalid account identifier");
  return row;
}

const accountSettings: Account["settings"] = {
  enforce_twofactor: false,
  api_access_enabled: null,
  access_approval_expiry: null,
  use_account_custom_ns_by_default: false,
  default_nameservers: "cloudflare.standard",
  abuse_contact_email: null,
};

function permissionsOf(row: MembershipWithAccount): Membership["permissions"] {
  const held = row.status === "accepted" ? fromJson(row.roles).flatMap((id) => findRole(id) ?? []) : [];
  return Object.fromEntries(blocksOfRoles(held).map(({ block, read, write }) => [block, { read, write }]));
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    type: "standard",
    settings: accountSettings,
    created_on: row.created_on,
  };
}

function toMembership(row: MembershipWithAccount): Membership {
  return {
    id: row.id,
    status: row.status,
    account: {
      id: row.account_id,
      name: row.account_name,
      settings: accountSettings,
      created_on: row.account_created_on,
    },
    api_access_enabled: null,
    roles: fromJson(row.roles).flatMap((id) => findRole(id)?.name ?? []),
    permissions: permissionsOf(row),
  };
}
