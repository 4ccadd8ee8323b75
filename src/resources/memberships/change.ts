import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db, MembershipRow } from "../../storage/tables.ts";
import { lockAccount } from "../../operation/scope.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { recordChanges } from "../../operation/audit.ts";
import type { AccessContext, Context } from "../../operation/context.ts";
import { toMember } from "./member.ts";
import {
  deleteMembershipRow,
  hasOtherSuperAdministrator,
  selectMembership,
  updateMembership,
  type FullMembership,
  type MembershipOwner,
} from "./store.ts";

interface MembershipChange {
  readonly action: AuditAction;
  /** What becomes of it: other columns, or nothing at all. Throws where it may not. */
  readonly become: (tx: Db, row: FullMembership) => Promise<Partial<MembershipRow> | "removed">;
}

/**
 * Changes one membership while nobody else changes any of its account, and makes it felt at the next request.
 * Errors: 404 code 1003 where the owner has no such membership, 400 code 1005 where its account would be left
 * without a super administrator.
 */
export async function changeMembership(
  context: AccessContext,
  caller: Caller,
  owner: MembershipOwner,
  id: string,
  { action, become }: MembershipChange,
): Promise<FullMembership> {
  const changed = await context.db.transaction(async (tx) => {
    const { account_id } = await findMembership(tx, owner, id);
    await lockAccount(tx, account_id);
    const before = await findMembership(tx, owner, id);
    const change = await become(tx, before);
    if (change === "removed") {
      await keepSuperAdministrator(tx, before, undefined);
      await deleteMembershipRow(tx, id);
      await recordMembershipChange(context, tx, caller, owner, { action, before });
      return before;
    }
    const after = { ...before, ...change };
    if (after.roles === before.roles && after.status === before.status) return before;
    await keepSuperAdministrator(tx, before, after);
    await updateMembership(tx, id, change);
    await recordMembershipChange(context, tx, caller, owner, { action, before, after });
    return after;
  });
  context.forgetCallers();
  return changed;
}

/** Errors: 404 code 1003. */
export async function findMembership(db: Db, owner: MembershipOwner, id: string): Promise<FullMembership> {
  const row = await selectMembership(db, owner, id);
  if (row !== undefined) return row;
  throw new AppError(
    "not-found",
    1003,
    "accountId" in owner ? "Invalid member identifier" : "Invalid membership identifier",
  );
}

/** Logs a change of a membership in its account, and what a user does about its own with the user first. */
export async function recordMembershipChange(
  context: Pick<Context, "now" | "newLogId">,
  tx: Db,
  caller: Caller,
  owner: MembershipOwner,
  { action, before, after }: LoggedChange,
): Promise<void> {
  const row = after ?? before;
  if (row === undefined) return;
  const change = {
    action,
    owner: { accountId: row.account_id },
    resource: { type: "member", id: row.id },
    ...(before && { before: toMember(before) }),
    ...(after && { after: toMember(after) }),
  };
  const own = { ...change, owner: { userId: caller.user?.id ?? "" } };
  await recordChanges(context, tx, caller, "accountId" in owner ? [change] : [own, change]);
}

interface LoggedChange {
  readonly action: AuditAction;
  readonly before?: FullMembership;
  readonly after?: FullMembership;
}

async function keepSuperAdministrator(
  tx: Db,
  before: MembershipRow,
  after: MembershipRow | undefined,
): Promise<void> {
  if (!isSuperAdministrator(before) || (after !== undefined && isSuperAdministrator(after))) return;
  if (await hasOtherSuperAdministrator(tx, before)) return;
  throw new AppError("invalid", 1005, "The last super administrator of an account has to stay");
}

function isSuperAdministrator({ status, roles }: MembershipRow): boolean {
  return status === "accepted" && fromJson(roles).includes(superAdministratorId);
}
