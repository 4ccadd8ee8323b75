import { foldEmail } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../../core/error.ts";
import type { Grantors } from "../../core/policy/delegation.ts";
import { blocksOfRoles, type Role } from "../../core/policy/roles.ts";
import type { Context } from "../../operation/context.ts";
import { deleteRow, insertRow, selectRow } from "../../storage/rows.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { rolesShown, toRightsColumns, type MemberRights } from "./member-rights.ts";
import type { Invite } from "./schema.ts";
import { selectMembership, type FullMembership, type MembershipOwner } from "./store.ts";

const inviteMs = 7 * 24 * 60 * 60 * 1_000;

interface NewInvite {
  readonly accountId: string;
  readonly email: string;
  readonly rights: MemberRights;
  /** E-mail of the sender; null for a token of the account. */
  readonly invitedBy: string | null;
  readonly grantors: Grantors;
}

/** An invite, answered or not. Errors: 404 code 1003. */
export async function findInvite(db: Db, owner: MembershipOwner, id: string): Promise<FullMembership> {
  const row = await selectMembership(db, owner, id);
  if (row !== undefined && row.expires_on !== null) return row;
  throw invalidIdentifier("invite", errorCodes.members.unknown);
}

/**
 * Stores an invite in a transaction that has locked the account, and returns its id. It replaces a rejected or expired one.
 * Errors: 400 code 1004 for an e-mail of a member or of an open invite.
 */
export async function addInvite(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { accountId, email, rights, invitedBy, grantors }: NewInvite,
): Promise<string> {
  const email_folded = foldEmail(email);
  const existing = await selectRow(tx, "memberships", { account_id: accountId, email_folded });
  if (existing !== undefined) {
    if (existing.status !== "rejected" && !isExpired(existing, now())) {
      const what = existing.status === "accepted" ? "is already a member" : "has already been invited";
      throw invalidRequest(errorCodes.members.exists, `${email} ${what}`, "/email");
    }
    await deleteRow(tx, "memberships", existing.id);
  }
  const id = newId();
  await insertRow(tx, "memberships", {
    id,
    account_id: accountId,
    user_id: null,
    email_folded,
    status: "pending",
    ...toRightsColumns(rights, accountId),
    invited_by: invitedBy,
    ...sentBy(grantors),
    expires_on: toTimestamp(new Date(now().getTime() + inviteMs)),
    created_on: toTimestamp(now()),
  });
  return id;
}

/**
 * Columns of an invite that these grantors send, for the first time or again: an earlier link stops working.
 */
export function sentBy(grantors: Grantors): Pick<MembershipRow, "grantors" | "link_hash"> {
  return { grantors: grantors === null ? null : toJson([...grantors]), link_hash: null };
}

/** Whether it is an invite that expired unanswered. */
export function isExpired({ status, expires_on }: MembershipRow, now: Date): boolean {
  return status === "pending" && expires_on !== null && expires_on <= toTimestamp(now);
}

/** Errors: 400 code 1006 for an answered invite, 400 code 1007 for an expired one. */
export function refuseClosed(row: MembershipRow, now: Date): void {
  if (row.status !== "pending") {
    throw invalidRequest(errorCodes.members.inviteAnswered, `The invite has been ${row.status} already`);
  }
  if (isExpired(row, now)) throw invalidRequest(errorCodes.members.inviteExpired, "The invite has expired");
}

/** An invite as the invited user sees it. */
export function toInvite(row: FullMembership, now: Date): Invite {
  return {
    id: row.id,
    invited_member_id: row.holder_id,
    invited_member_email: row.holder_email ?? row.email_folded,
    organization_id: row.account_id,
    organization_name: row.account_name,
    organization_is_enforcing_twofactor: row.account_enforces_two_factor === 1,
    roles: rolesShown(row).map((role) => ({
      id: role.id,
      name: role.name,
      description: role.description,
      permissions: permissionsOf(role),
    })),
    invited_by: row.invited_by,
    invited_on: row.created_on,
    expires_on: row.expires_on ?? "",
    status: isExpired(row, now) ? "expired" : row.status,
  };
}

/** The oldest form of a role's permissions: `#zones:read`. */
function permissionsOf(role: Role): string[] {
  return blocksOfRoles([role]).flatMap(({ block, read, write }) => {
    if (write) return [`#${block}:read`, `#${block}:edit`];
    return read ? [`#${block}:read`] : [];
  });
}
