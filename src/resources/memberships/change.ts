import type { Caller } from "../../core/caller.ts";
import { foldEmail } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier, invalidRequest } from "../../core/error.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import type { AccessContext } from "../../operation/context.ts";
import { lockAccount } from "../../operation/scope.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { refuseClosed } from "./invites.ts";
import { describeMember } from "./member.ts";
import { isStillCovered } from "./refuse-rights.ts";
import type { AnswerInviteBody } from "./schema.ts";
import {
  hasOtherSuperAdministrator,
  selectMembership,
  type FullMembership,
  type MembershipOwner,
} from "./store.ts";

/** What operations on members take. */
export interface MembershipContext extends AccessContext {
  /** The brand segment of keys. */
  readonly vendor: string;
}

interface MembershipChange {
  readonly action: AuditAction;
  /** The changed columns, or `removed`. Throws where the change is not allowed. */
  readonly become: (row: FullMembership) => Promise<Partial<MembershipRow> | "removed">;
}

/**
 * Changes a membership under the lock of its account; the change takes effect at the next request.
 * Errors: 404 code 1003 for an unknown membership of the owner, 400 code 1005 where no super administrator would remain.
 */
export async function changeMembership(
  work: ChangeWork & { readonly context: MembershipContext },
  owner: MembershipOwner,
  id: string,
  { action, become }: MembershipChange,
): Promise<FullMembership> {
  const { tx, context, afterCommit } = work;
  if (!("accountId" in owner)) await lockAccount(tx, (await findMembership(tx, owner, id)).account_id);
  const before = await findMembership(tx, owner, id);
  const change = await become(before);
  if (change === "removed") {
    await keepSuperAdministrator(tx, before, undefined);
    await deleteRow(tx, "memberships", id);
    await auditChange(work, owner, { action, before });
    afterCommit(context.forgetCallers);
    return before;
  }
  const after = { ...before, ...change };
  const isSame =
    after.roles === before.roles && after.policies === before.policies && after.status === before.status;
  if (isSame) return before;
  await keepSuperAdministrator(tx, before, after);
  await updateRow(tx, "memberships", id, change);
  await auditChange(work, owner, { action, before, after });
  afterCommit(context.forgetCallers);
  return after;
}

/** A change that a user makes of what belongs to its e-mail address. */
type UserChange = ChangeWork & {
  readonly context: MembershipContext;
  readonly user: Pick<NonNullable<Caller["user"]>, "id" | "email">;
  readonly now: Date;
};

/**
 * Accepts an invite, which makes the user a member of the account, or rejects it.
 * Errors: 404 code 1003, 400 code 1006 for an answered invite, 400 code 1007 for an expired one, 403 code 9109 for one that
 * gives what its sender may not give now.
 */
export async function answerInvite(
  work: UserChange,
  id: string,
  { status }: AnswerInviteBody,
): Promise<FullMembership> {
  const { user, now } = work;
  return changeMembership(work, ownedBy(user), id, {
    action: status === "accepted" ? "invite_accept" : "invite_reject",
    become: async (row) => {
      refuseClosed(row, now);
      if (status === "accepted" && !(await isStillCovered(work.tx, row))) {
        throw new AppError(
          "forbidden",
          errorCodes.permissions.unauthorized,
          "Who sent the invite may no longer give what it gives: ask for another one",
        );
      }
      return { status, link_hash: null, ...(status === "accepted" && { user_id: user.id }) };
    },
  });
}

/** Errors: 404 code 1003. */
export async function findMembership(db: Db, owner: MembershipOwner, id: string): Promise<FullMembership> {
  const row = await selectMembership(db, owner, id);
  if (row !== undefined) return row;
  const noun = "accountId" in owner ? "member" : "membership";
  throw invalidIdentifier(noun, errorCodes.members.unknown);
}

/** Memberships and invites belong to an e-mail address: an invite may be older than its user. */
export function ownedBy({ email }: Pick<NonNullable<Caller["user"]>, "email">): MembershipOwner {
  return { emailFolded: foldEmail(email) };
}

interface AuditedChange {
  readonly action: AuditAction;
  readonly before: FullMembership;
  readonly after?: FullMembership;
}

/** Logs a change in the account, and first in the user's own log where the user made it. */
async function auditChange(
  { tx, audit, context: { vendor } }: ChangeWork & { readonly context: MembershipContext },
  owner: MembershipOwner,
  { action, before, after }: AuditedChange,
): Promise<void> {
  const entry = {
    action,
    id: before.id,
    before: await describeMember(tx, before, vendor),
    ...(after && { after: await describeMember(tx, after, vendor) }),
  };
  if (!("accountId" in owner)) audit(entry);
  const isByStranger =
    !("accountId" in owner) && before.status !== "accepted" && after?.status !== "accepted";
  audit({ ...entry, owner: { accountId: before.account_id }, isByStranger });
}

async function keepSuperAdministrator(
  tx: Db,
  before: MembershipRow,
  after: MembershipRow | undefined,
): Promise<void> {
  if (!isSuperAdministrator(before) || (after !== undefined && isSuperAdministrator(after))) return;
  if (await hasOtherSuperAdministrator(tx, before)) return;
  throw invalidRequest(
    errorCodes.members.lastSuperAdministrator,
    "The last super administrator of an account has to stay",
  );
}

function isSuperAdministrator({ status, roles }: MembershipRow): boolean {
  return status === "accepted" && fromJson(roles).includes(superAdministratorId);
}
