import type { Caller } from "../../core/caller.ts";
import { foldEmail } from "../../core/email.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { blocksOfRoles } from "../../core/policy/roles.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { toAccount } from "../accounts/accounts.ts";
import type { AccessContext, Context } from "../../operation/context.ts";
import { changeMembership, findMembership } from "./change.ts";
import { answerInvite } from "./invites.ts";
import { rolesOf } from "./roles.ts";
import type { AnswerInviteBody, ListMembershipsQuery, Membership } from "./schema.ts";
import {
  deleteMembershipRow,
  insertMembership,
  selectMembershipOfEmail,
  selectMemberships,
  type FullMembership,
  type MembershipOwner,
} from "./store.ts";

export {
  findGrantsOfGrantors,
  grantsToDelegate,
  listRolesOfUser,
  rightsOfAccount,
  rightsOfUser,
  type Rights,
} from "./delegation.ts";
export { addInvite } from "./invites.ts";

/** Memberships of the caller, invites to it among them. */
export async function listMemberships(
  { db }: Context,
  caller: Caller,
  query: ListMembershipsQuery,
  page: PageRequest<"id" | "account.name" | "status">,
): Promise<Page<Membership>> {
  const filter = { accountName: (query["account.name"] ?? query.name) || undefined, status: query.status };
  const { items, totalCount } = await selectMemberships(db.read, ofUser(caller), filter, page);
  return { items: items.map(toMembership), totalCount };
}

/** Errors: 404 code 1003. */
export async function getMembership({ db }: Context, caller: Caller, id: string): Promise<Membership> {
  return toMembership(await findMembership(db.read, ofUser(caller), id));
}

/** Answers an invite by its membership. Errors: as `editInvite`. */
export async function replaceMembership(
  context: AccessContext,
  caller: Caller,
  id: string,
  body: AnswerInviteBody,
): Promise<Membership> {
  return toMembership(await answerInvite(context, caller, id, body));
}

/** Leaves an account, or drops an invite to it. Errors: as `changeMembership`. */
export async function deleteMembership(
  context: AccessContext,
  caller: Caller,
  id: string,
): Promise<{ id: string }> {
  await changeMembership(context, caller, ofUser(caller), id, {
    action: "member_leave",
    become: async () => "removed",
  });
  return { id };
}

interface NewMember {
  readonly accountId: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly roleIds: readonly string[];
}

/** Makes a user a member without an invite, or in place of one; part of the caller's transaction. */
export async function addMembership(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { accountId, user, roleIds }: NewMember,
): Promise<void> {
  const invite = await selectMembershipOfEmail(tx, accountId, foldEmail(user.email));
  if (invite !== undefined) await deleteMembershipRow(tx, invite.id);
  await insertMembership(tx, {
    id: newId(),
    account_id: accountId,
    user_id: user.id,
    email_folded: foldEmail(user.email),
    status: "accepted",
    roles: toJson([...roleIds]),
    invited_by: null,
    expires_on: null,
    created_on: toTimestamp(now()),
  });
}

/** The memberships of an e-mail and the invites that it has, in the form that `GET /user` answers as `organizations`. */
export async function listOrganizationsOfUser(db: Db, email: string) {
  const everything = { page: 1, perPage: 1_000, order: "account.name", direction: "asc" } as const;
  const { items } = await selectMemberships(db, { emailFolded: foldEmail(email) }, {}, everything);
  return items
    .filter(({ status }) => status !== "rejected")
    .map((row) => ({
      id: row.account_id,
      name: row.account_name,
      status: row.status === "accepted" ? "member" : "invited",
      permissions: [],
      roles: rolesOf(row).map(({ name }) => name),
    }));
}

function ofUser({ user }: Caller): MembershipOwner {
  return { emailFolded: foldEmail(user?.email ?? "") };
}

function toMembership(row: FullMembership): Membership {
  const held = row.status === "accepted" ? rolesOf(row) : [];
  return {
    id: row.id,
    status: row.status,
    account: toAccount({
      id: row.account_id,
      name: row.account_name,
      created_on: row.account_created_on,
    }),
    api_access_enabled: null,
    roles: rolesOf(row).map(({ name }) => name),
    permissions: Object.fromEntries(
      blocksOfRoles(held).map(({ block, read, write }) => [block, { read, write }]),
    ),
  };
}
