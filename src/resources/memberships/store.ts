import type { Page, PageRequest } from "../../core/page.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import { matchesText } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccountRow, MembershipRow, UserRow } from "../../storage/schema/accounts.ts";

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

/** The memberships by which a user has rights, the oldest first: not those of accounts that its sign-in is too weak for. */
export async function selectMembershipsInForce(db: Db, userId: string): Promise<MembershipRow[]> {
  return membershipsInForce(db)
    .selectAll("memberships")
    .where("memberships.user_id", "=", userId)
    .orderBy("memberships.created_on")
    .orderBy("memberships.id")
    .execute();
}

/** Those of users in an account. */
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

/** How many of the users have a second factor. */
export async function countWithSecondFactor(db: Db, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  return countRows(
    db.selectFrom("users").where("id", "in", userIds).where("second_factor_since", "is not", null),
  );
}

/** The users who are super administrators of an account. */
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
