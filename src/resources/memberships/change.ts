import type { Caller } from "../../core/policy/caller.ts";
import { foldEmail } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier, invalidRequest } from "../../core/error.ts";
import { superAdministratorId, findRole, blocksOfRoles, type Role } from "../../core/policy/roles.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import type { Context } from "../../operation/context.ts";
import { lockAccount, type AccountWrite } from "../../operation/scope.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";
import { deleteRow, updateRow, insertRow, selectRow } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { describeMember } from "./member.ts";
import {
  isStillCovered,
  toRightsColumns,
  rolesShown,
  type MemberRights,
  rightsOf,
  policiesBehind,
  refuseRightsBeyond,
} from "./rights.ts";
import type { AnswerInviteBody, Invite } from "./schema.ts";
import {
  hasOtherSuperAdministrator,
  selectMembership,
  type FullMembership,
  type MembershipOwner,
} from "./store.ts";
import type { Grantors } from "../../core/policy/grantors.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { findResourceGroupsOf, scopesOf } from "./resource-groups.ts";

/** The context of operations on members. */
export interface MembershipContext extends Context {
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
 * Errors: 404 code 1003 for an unknown membership of the owner, 400 code 1005 where no super administrator
 * would remain.
 */
export async function changeMembership(
  work: ChangeWork & { readonly context: MembershipContext },
  owner: MembershipOwner,
  id: string,
  { action, become }: MembershipChange,
): Promise<FullMembership> {
  const { tx } = work;
  if (!("accountId" in owner)) await lockAccount(tx, (await findMembership(tx, owner, id)).account_id);
  const before = await findMembership(tx, owner, id);
  const change = await become(before);
  if (change === "removed") {
    await keepSuperAdministrator(tx, before, undefined);
    await deleteRow(tx, "memberships", id);
    await auditChange(work, owner, { action, before });
    return before;
  }
  const after = { ...before, ...change };
  const isSame =
    after.roles === before.roles && after.policies === before.policies && after.status === before.status;
  if (isSame) return before;
  await keepSuperAdministrator(tx, before, after);
  await updateRow(tx, "memberships", id, change);
  await auditChange(work, owner, { action, before, after });
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
 * Errors: 404 code 1003, 400 code 1006 for an answered invite, 400 code 1007 for an expired one, 403 code
 * 9109 for one that gives what its sender may not give now.
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

interface NewMember {
  readonly accountId: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly roleIds: readonly string[];
}

/** Makes a user a member without an invite, or in place of one, in the caller's transaction. */
export async function addMembership(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { accountId, user, roleIds }: NewMember,
): Promise<void> {
  const invite = await selectRow(tx, "memberships", {
    account_id: accountId,
    email_folded: foldEmail(user.email),
  });
  if (invite !== undefined) await deleteRow(tx, "memberships", invite.id);
  await insertRow(tx, "memberships", {
    id: newId(),
    account_id: accountId,
    user_id: user.id,
    email_folded: foldEmail(user.email),
    status: "accepted",
    roles: toJson([...roleIds]),
    policies: null,
    invited_by: null,
    grantors: null,
    link_hash: null,
    expires_on: null,
    created_on: toTimestamp(now()),
  });
}

/**
 * Gives a user these roles in an account and no others; makes it a member where it is none, in place of an
 * invite.
 * Errors: 404 code 1001, 400 code 1005 where no super administrator would remain.
 */
export async function assignRoles(
  work: ChangeWork & { readonly context: MembershipContext },
  member: NewMember,
): Promise<void> {
  const { tx, context, audit } = work;
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
}

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
 * Stores an invite in a transaction that has locked the account, and returns its id. It replaces a rejected
 * or expired one.
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
function refuseClosed(row: MembershipRow, now: Date): void {
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

interface InviteLink {
  /** Not stored. */
  readonly token: string;
  readonly expiresOn: string;
}

/**
 * Sends an open invite anew, as the caller's, with a link in place of the one before. Whoever has the link
 * gets what the invite gives, so the caller needs all of it.
 * Errors: 404 code 1003, 400 code 1006 for an answered invite, 400 code 1007 for an expired one, 400 code
 * 1004 for one to an e-mail that has a user, 403 code 9109 for one that gives more than the caller's own
 * rights.
 */
export async function linkInvite(work: AccountWrite<MembershipContext>, id: string): Promise<InviteLink> {
  const { tx, accountId, caller, context, now, audit } = work;
  const row = await findMembership(tx, { accountId }, id);
  refuseClosed(row, now);
  if (row.holder_id !== null) {
    throw invalidRequest(
      errorCodes.members.exists,
      `${row.email_folded} has a user already, who answers the invite after signing in`,
    );
  }
  await refuseRightsBeyond(tx, caller, accountId, {
    had: { roleIds: [] },
    has: rightsOf(row),
    scopes: [scopesOf(await findResourceGroupsOf(tx, [row]))],
    behind: await policiesBehind(tx, row),
  });
  const token = newSessionSecret();
  await updateRow(tx, "memberships", id, { ...sentBy(caller.grantors), link_hash: hashSecret(token) });
  const after = await describeMember(tx, row, context.vendor);
  audit({ action: "invite_link_create", id, after });
  return { token, expiresOn: row.expires_on ?? "" };
}

/** The invite whose link has this token, expired or not. */
export async function findInviteOfLink(db: Db, token: string): Promise<FullMembership | undefined> {
  const row = await selectRow(db, "memberships", { link_hash: hashSecret(token) });
  return row && selectMembership(db, { accountId: row.account_id }, row.id);
}
