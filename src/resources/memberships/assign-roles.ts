import { foldEmail } from "../../core/email.ts";
import { findRole } from "../../core/policy/roles.ts";
import { lockAccount } from "../../operation/scope.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";
import { selectRow } from "../../storage/rows.ts";
import { addMembership, type NewMember } from "./add-membership.ts";
import { changeMembership, type MembershipContext } from "./change.ts";
import { toRightsColumns } from "./member-rights.ts";

/**
 * Gives a user these roles in an account and no others; makes it a member where it is none, in place of an invite.
 * Errors: 404 code 1001, 400 code 1005 where no super administrator would remain.
 */
export async function assignRoles(
  work: ChangeWork & { readonly context: MembershipContext },
  member: NewMember,
): Promise<void> {
  const { tx, context, audit, afterCommit } = work;
  const { accountId, user, roleIds } = member;
  await lockAccount(tx, accountId);
  const existing = await selectRow(tx, "memberships", {
    account_id: accountId,
    email_folded: foldEmail(user.email),
  });
  if (existing?.status === "accepted") {
    const become = async () => toRightsColumns({ roleIds }, accountId);
    await changeMembership(work, { accountId }, existing.id, { action: "member_edit", become });
    return;
  }
  await addMembership(context, tx, member);
  audit({
    action: "member_add",
    owner: { accountId },
    id: user.id,
    after: { email: user.email, roles: roleIds.flatMap((id) => findRole(id)?.name ?? []) },
  });
  afterCommit(context.forgetCallers);
}
