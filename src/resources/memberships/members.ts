import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toJson } from "../../storage/columns.ts";
import type { AccessContext, Context } from "../../operation/context.ts";
import { lockAccount } from "../../operation/scope.ts";
import { findAccount } from "../accounts/accounts.ts";
import { changeMembership, findMembership, recordMembershipChange } from "./change.ts";
import { addInvite } from "./invites.ts";
import { toMember } from "./member.ts";
import { parseRoles, refuseRolesBeyondRights, rolesOf } from "./roles.ts";
import type { AddMemberBody, EditMemberBody, ListMembersQuery, Member } from "./schema.ts";
import { selectMemberships } from "./store.ts";

/** Members of an account and its invites. */
export async function listMembers(
  { db }: Context,
  accountId: string,
  { status }: ListMembersQuery,
  page: PageRequest<"user.email" | "user.first_name" | "user.last_name" | "status">,
): Promise<Page<Member>> {
  const { items, totalCount } = await selectMemberships(db.read, { accountId }, { status }, page);
  return { items: items.map(toMember), totalCount };
}

/** Errors: 404 code 1003. */
export async function getMember({ db }: Context, accountId: string, id: string): Promise<Member> {
  return toMember(await findMembership(db.read, { accountId }, id));
}

/**
 * Invites the user of an e-mail address, present or future, to be a member. Errors: as `addInvite` and `parseRoles`,
 * 400 code 1001 for a member that has accepted already, 403 code 9109 for roles beyond the caller's own rights.
 */
export async function addMember(
  context: AccessContext,
  caller: Caller,
  accountId: string,
  body: AddMemberBody,
): Promise<Member> {
  if (body.status === "accepted") {
    throw new AppError(
      "invalid",
      1001,
      "A member is invited, and accepts the invite: `status` must be pending",
      {
        pointer: "/status",
      },
    );
  }
  const roles = parseRoles(body);
  return context.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await findAccount(tx, accountId);
    await refuseRolesBeyondRights(tx, caller, accountId, roles);
    const id = await addInvite(context, tx, {
      accountId,
      email: body.email,
      roleIds: roles.map((role) => role.id),
      invitedBy: caller.user?.email ?? null,
    });
    const after = await findMembership(tx, { accountId }, id);
    await recordMembershipChange(context, tx, caller, { accountId }, { action: "invite_send", after });
    return toMember(after);
  });
}

/**
 * Gives a member, or an invite, other roles.
 * Errors: as `parseRoles` and `changeMembership`, 403 code 9109 for roles beyond the caller's own rights.
 */
export async function editMember(
  context: AccessContext,
  caller: Caller,
  accountId: string,
  id: string,
  body: EditMemberBody,
): Promise<Member> {
  const roles = parseRoles(body);
  const row = await changeMembership(context, caller, { accountId }, id, {
    action: "member_edit",
    become: async (tx, before) => {
      const [had, has] = [new Set(rolesOf(before)), new Set(roles)];
      await refuseRolesBeyondRights(tx, caller, accountId, [...had.symmetricDifference(has)]);
      return { roles: toJson(roles.map((role) => role.id)) };
    },
  });
  return toMember(row);
}

/**
 * Removes a member, or takes an invite back.
 * Errors: as `changeMembership`, 403 code 9109 where its roles are beyond the caller's own rights.
 */
export async function removeMember(
  context: AccessContext,
  caller: Caller,
  accountId: string,
  id: string,
): Promise<{ id: string }> {
  await changeMembership(context, caller, { accountId }, id, {
    action: "member_remove",
    become: async (tx, before) => {
      await refuseRolesBeyondRights(tx, caller, accountId, rolesOf(before));
      return "removed";
    },
  });
  return { id };
}
