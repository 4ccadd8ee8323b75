import type { Page, PageRequest } from "../../core/page.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import { matchesText, fromJson } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type {
  AccountRow,
  MembershipRow,
  UserRow,
  ResourceGroupRow,
  UserGroupMemberRow,
  UserGroupRow,
} from "../../storage/schema/accounts.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";

/** A membership with its account and, if it exists, its user. */
export type FullMembership = MembershipRow & {
  readonly account_name: string;
  readonly account_type: AccountRow["type"];
  readonly account_abuse_contact_email: AccountRow["abuse_contact_email"];
  readonly account_enforces_two_factor: AccountRow["enforces_two_factor"];
  readonly account_created_on: AccountRow["created_on"];
  readonly holder_id: string | null;
  /** In the user's spelling. */
  readonly holder_email: string | null;
  readonly second_factor_since: UserRow["second_factor_since"];
  readonly first_name: string | null;
  readonly last_name: string | null;
};

/** An account, or an e-mail address. */
export type MembershipOwner = { readonly accountId: string } | { readonly emailFolded: string };

interface MembershipFilter {
  readonly accountName?: string | undefined;
  readonly status?: MembershipRow["status"] | undefined;
}

const orderings = {
  id: "memberships.id",
  status: "memberships.status",
  created_on: "memberships.created_on",
  "account.name": "accounts.name_folded",
  "user.email": "memberships.email_folded",
  "user.first_name": "users.first_name",
  "user.last_name": "users.last_name",
} as const;

/** Orderings by what nobody sees of users who are only invited. */
const ofMembersOnly: ReadonlySet<keyof typeof orderings> = new Set(["user.first_name", "user.last_name"]);

/**
 * The memberships by which a user has rights, the oldest first: not those of accounts that its sign-in is too
 * weak for.
 */
export async function selectMembershipsInForce(db: Db, userId: string): Promise<MembershipRow[]> {
  return membershipsInForce(db)
    .selectAll("memberships")
    .where("memberships.user_id", "=", userId)
    .orderBy("memberships.created_on")
    .orderBy("memberships.id")
    .execute();
}

export async function selectMembershipsOfUsers(
  db: Db,
  accountId: string,
  userIds: readonly string[],
): Promise<Pick<MembershipRow, "id" | "user_id" | "account_id" | "roles" | "policies">[]> {
  if (userIds.length === 0) return [];
  return membershipsInForce(db)
    .select(["memberships.id", "memberships.user_id", "account_id", "roles", "policies"])
    .where("account_id", "=", accountId)
    .where("user_id", "in", userIds)
    .execute();
}

/** Accepted ones, but for those of users without a second factor in accounts that demand one. */
function membershipsInForce(db: Db) {
  return db
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.account_id")
    .innerJoin("users", "users.id", "memberships.user_id")
    .where("memberships.status", "=", "accepted")
    .where(({ or, eb }) =>
      or([
        eb("accounts.enforces_two_factor", "is", null),
        eb("accounts.enforces_two_factor", "=", 0),
        eb("users.second_factor_since", "is not", null),
      ]),
    );
}

export async function countWithSecondFactor(db: Db, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  return countRows(
    db.selectFrom("users").where("id", "in", userIds).where("second_factor_since", "is not", null),
  );
}

export async function selectSuperAdministrators(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .select("user_id")
    .where("account_id", "=", accountId)
    .where("status", "=", "accepted")
    .where((expression) => matchesText(expression.ref("roles"), "contains", superAdministratorId))
    .execute();
  return rows.flatMap(({ user_id }) => user_id ?? []);
}

/** Whether the account has another super administrator who has accepted. */
export async function hasOtherSuperAdministrator(
  db: Db,
  { id, account_id }: Pick<MembershipRow, "id" | "account_id">,
): Promise<boolean> {
  const other = await db
    .selectFrom("memberships")
    .select("id")
    .where("account_id", "=", account_id)
    .where("id", "!=", id)
    .where("status", "=", "accepted")
    .where((expression) => matchesText(expression.ref("roles"), "contains", superAdministratorId))
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function selectMembership(
  db: Db,
  owner: MembershipOwner,
  id: string,
): Promise<FullMembership | undefined> {
  return withAccountAndUser(membershipsOf(db, owner)).where("memberships.id", "=", id).executeTakeFirst();
}

export async function selectMemberships(
  db: Db,
  owner: MembershipOwner,
  { accountName, status }: MembershipFilter,
  page: PageRequest<keyof typeof orderings>,
): Promise<Page<FullMembership>> {
  let query = membershipsOf(db, owner);
  if (accountName !== undefined) query = query.where("accounts.name_folded", "=", accountName.toLowerCase());
  if (status !== undefined) query = query.where("memberships.status", "=", status);
  const ordered = withAccountAndUser(query)
    // The engines sort null differently.
    .orderBy((expression) => {
      const { fn, val, eb } = expression;
      const value = fn.coalesce(orderings[page.order], val(""));
      if (!ofMembersOnly.has(page.order)) return value;
      return expression
        .case()
        .when(eb("memberships.status", "=", "accepted"))
        .then(value)
        .else("")
        .end();
    }, page.direction)
    .orderBy("memberships.id", page.direction);
  return selectPage(ordered, page);
}

/** The invites of an owner, including answered ones, the newest first. */
export async function selectInvites(db: Db, owner: MembershipOwner): Promise<FullMembership[]> {
  return withAccountAndUser(membershipsOf(db, owner))
    .where("memberships.expires_on", "is not", null)
    .orderBy("memberships.created_on", "desc")
    .orderBy("memberships.id", "desc")
    .execute();
}

function membershipsOf(db: Db, owner: MembershipOwner) {
  const query = db.selectFrom("memberships").innerJoin("accounts", "accounts.id", "memberships.account_id");
  return "accountId" in owner
    ? query.where("memberships.account_id", "=", owner.accountId)
    : query.where("memberships.email_folded", "=", owner.emailFolded);
}

function withAccountAndUser(query: ReturnType<typeof membershipsOf>) {
  return query
    .leftJoin("users", "users.email_folded", "memberships.email_folded")
    .selectAll("memberships")
    .select([
      "accounts.name as account_name",
      "accounts.type as account_type",
      "accounts.abuse_contact_email as account_abuse_contact_email",
      "accounts.enforces_two_factor as account_enforces_two_factor",
      "accounts.created_on as account_created_on",
      "users.id as holder_id",
      "users.email as holder_email",
      "users.second_factor_since",
      "users.first_name",
      "users.last_name",
    ]);
}

export async function selectResourceGroups(
  db: Db,
  accountId: string,
  filter: { readonly id?: string | undefined; readonly name?: string | undefined },
): Promise<ResourceGroupRow[]> {
  let query = db.selectFrom("resource_groups").selectAll().where("account_id", "=", accountId);
  if (filter.id !== undefined) query = query.where("id", "=", filter.id);
  if (filter.name !== undefined) query = query.where("name", "=", filter.name);
  return query.orderBy("name").orderBy("id").execute();
}

export async function selectResourceGroupsById(db: Db, ids: readonly string[]): Promise<ResourceGroupRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("resource_groups").selectAll().where("id", "in", ids).execute();
}

export async function countResourceGroups(db: Db, accountId: string): Promise<number> {
  return countRows(db.selectFrom("resource_groups").where("account_id", "=", accountId));
}

/** The members and invites of an account that have policies. */
export async function selectMembershipsWithPolicies(db: Db, accountId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom("memberships")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("policies", "is not", null)
    .execute();
}

interface UserGroupFilter {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Any part of the name, in lower case. */
  readonly part?: string | undefined;
}

export async function selectUserGroups(
  db: Db,
  accountId: string,
  { id, name, part }: UserGroupFilter,
  page: PageRequest<"name">,
): Promise<Page<UserGroupRow>> {
  let query = db.selectFrom("user_groups").selectAll().where("account_id", "=", accountId);
  if (id !== undefined) query = query.where("id", "=", id);
  if (name !== undefined) query = query.where("name", "=", name);
  if (part !== undefined) {
    query = query.where((expression) => matchesText(expression.ref("name_folded"), "contains", part));
  }
  return selectPage(query.orderBy("name_folded", page.direction).orderBy("id", page.direction), page);
}

export async function countUserGroups(db: Db, accountId: string): Promise<number> {
  return countRows(db.selectFrom("user_groups").where("account_id", "=", accountId));
}

export async function selectUserGroupsWithPolicies(db: Db, accountId: string): Promise<UserGroupRow[]> {
  return db
    .selectFrom("user_groups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("policies", "is not", null)
    .execute();
}

/** A membership in a user group, with who put it there and what it gives. */
type Belonging = Pick<UserGroupMemberRow, "membership_id" | "grantors"> & Pick<UserGroupRow, "policies">;

export async function selectBelongings(db: Db, membershipIds: readonly string[]): Promise<Belonging[]> {
  if (membershipIds.length === 0) return [];
  return db
    .selectFrom("user_group_members")
    .innerJoin("user_groups", "user_groups.id", "user_group_members.user_group_id")
    .select(["membership_id", "grantors", "user_groups.policies"])
    .where("membership_id", "in", membershipIds)
    .orderBy("user_groups.created_on")
    .orderBy("user_groups.id")
    .execute();
}

export type FullUserGroupMember = Pick<MembershipRow, "id" | "status" | "email_folded"> & {
  readonly joined_on: UserGroupMemberRow["created_on"];
  readonly holder_id: string | null;
  readonly holder_email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
};

function membersOf(db: Db, groupId: string) {
  return db
    .selectFrom("user_group_members")
    .innerJoin("memberships", "memberships.id", "user_group_members.membership_id")
    .leftJoin("users", "users.email_folded", "memberships.email_folded")
    .select([
      "memberships.id",
      "memberships.status",
      "memberships.email_folded",
      "user_group_members.created_on as joined_on",
      "users.id as holder_id",
      "users.email as holder_email",
      "users.first_name",
      "users.last_name",
    ])
    .where("user_group_id", "=", groupId);
}

export async function selectUserGroupMembers(
  db: Db,
  groupId: string,
  { part }: { readonly part?: string | undefined },
  page: PageRequest<"email">,
): Promise<Page<FullUserGroupMember>> {
  let query = membersOf(db, groupId);
  if (part !== undefined) {
    query = query.where((expression) =>
      matchesText(expression.ref("memberships.email_folded"), "contains", part),
    );
  }
  const ordered = query
    .orderBy("memberships.email_folded", page.direction)
    .orderBy("memberships.id", page.direction);
  return selectPage(ordered, page);
}

export async function selectUserGroupMember(
  db: Db,
  groupId: string,
  membershipId: string,
): Promise<FullUserGroupMember | undefined> {
  return membersOf(db, groupId).where("membership_id", "=", membershipId).executeTakeFirst();
}

export async function selectMembershipsOfGroup(db: Db, groupId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom("memberships")
    .innerJoin("user_group_members", "user_group_members.membership_id", "memberships.id")
    .selectAll("memberships")
    .where("user_group_id", "=", groupId)
    .execute();
}

/** Selects the memberships that belong to the account and were not rejected. */
export async function selectOpenMemberships(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<MembershipRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("memberships")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "in", ids)
    .where("status", "!=", "rejected")
    .execute();
}

/** The policies that a membership has by its user groups. */
export interface OfUserGroups {
  readonly groupPolicies: readonly MemberPolicy[];
}

/** The memberships with the policies of their user groups. */
export async function withUserGroups<Row extends { readonly id: string }>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & OfUserGroups)[]> {
  const belongings = await selectBelongings(
    db,
    rows.map(({ id }) => id),
  );
  const byMembership = Map.groupBy(belongings, ({ membership_id }) => membership_id);
  return rows.map((row) => ({
    ...row,
    groupPolicies: (byMembership.get(row.id) ?? []).flatMap(({ policies }) =>
      policies === null ? [] : fromJson(policies),
    ),
  }));
}
