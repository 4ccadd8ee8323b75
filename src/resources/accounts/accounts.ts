import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { AccountRow, Db } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import type { Account, ListAccountsQuery, ListMembershipsQuery, Membership } from "./schema.ts";
import {
  insertAccount,
  insertMembership,
  selectAccount,
  selectAccountIdsOfUser,
  selectAccounts,
  selectMemberships,
  type MembershipWithAccount,
} from "./store.ts";

const superAdministrator = "Super Administrator - All Privileges";

export async function listAccounts(
  { db }: Context,
  caller: Caller,
  query: ListAccountsQuery,
  page: PageRequest<"name" | "id">,
): Promise<Page<Account>> {
  const { items, totalCount } = await selectAccounts(
    db.read,
    caller.accountIds,
    { name: query.name || undefined },
    page,
  );
  return { items: items.map(toAccount), totalCount };
}

/** Errors: 404 code 1001 for an account that does not exist or is not the caller's (decision 14). */
export async function getAccount({ db }: Context, caller: Caller, id: string): Promise<Account> {
  return toAccount(await findReachableAccount(db.read, caller, id));
}

export async function listMemberships(
  { db }: Context,
  caller: Caller,
  query: ListMembershipsQuery,
  page: PageRequest<"id" | "account.name" | "status">,
): Promise<Page<Membership>> {
  const filter = { accountName: (query["account.name"] ?? query.name) || undefined, status: query.status };
  const { items, totalCount } = await selectMemberships(db.read, caller.user.id, filter, page);
  return { items: items.map(toMembership), totalCount };
}

/**
 * Makes an account, with `userId` as its super administrator where one is given; part of the caller's
 * transaction. Answers its id.
 */
export async function addAccount(
  { now, newId }: Context,
  tx: Db,
  { name, userId }: { readonly name: string; readonly userId?: string },
): Promise<string> {
  const id = newId();
  const created_on = toTimestamp(now());
  await insertAccount(tx, { id, name, name_folded: name.toLowerCase(), created_on });
  if (userId === undefined) return id;
  await insertMembership(tx, {
    id: newId(),
    account_id: id,
    user_id: userId,
    status: "accepted",
    roles: toJson([superAdministrator]),
    created_on,
  });
  return id;
}

/** Accounts in which the user has an accepted membership, the oldest first. */
export async function listAccountIdsOfUser(db: Db, userId: string): Promise<string[]> {
  return selectAccountIdsOfUser(db, userId);
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
    roles: fromJson(row.roles),
  }));
}

/** Errors: 404 code 1001 for an account that does not exist or is not the caller's (decision 14). */
export async function findReachableAccount(db: Db, caller: Caller, id: string): Promise<AccountRow> {
  const row = caller.accountIds.includes(id) ? await selectAccount(db, id) : undefined;
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

const permissionBlocks = [
  "analytics",
  "billing",
  "cache_purge",
  "dns",
  "dns_records",
  "lb",
  "logs",
  "organization",
  "ssl",
  "waf",
  "zone_settings",
  "zones",
];

function permissionsOf(status: Membership["status"]): Membership["permissions"] {
  const granted = status === "accepted";
  return Object.fromEntries(permissionBlocks.map((block) => [block, { read: granted, write: granted }]));
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
    roles: fromJson(row.roles),
    permissions: permissionsOf(row.status),
  };
}
