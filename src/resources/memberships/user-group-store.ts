import type { Page, PageRequest } from "../../core/page.ts";
import { matchesText } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow, UserGroupMemberRow, UserGroupRow } from "../../storage/schema/accounts.ts";

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

/** The user groups of an account that have policies. */
export async function selectUserGroupsWithPolicies(db: Db, accountId: string): Promise<UserGroupRow[]> {
  return db
    .selectFrom("user_groups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("policies", "is not", null)
    .execute();
}

/** A membership in a user group, with who put it there and what it gives. */
export type Belonging = Pick<UserGroupMemberRow, "membership_id" | "grantors"> &
  Pick<UserGroupRow, "policies">;

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

/** A member of a user group with what is shown of it. */
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

/** The memberships in a user group. */
export async function selectMembershipsOfGroup(db: Db, groupId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom("memberships")
    .innerJoin("user_group_members", "user_group_members.membership_id", "memberships.id")
    .selectAll("memberships")
    .where("user_group_id", "=", groupId)
    .execute();
}

/** Those of the memberships that belong to the account and were not rejected. */
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
