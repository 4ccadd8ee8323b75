import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { AccountWrite } from "../../operation/account.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { selectRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import { findMembership, type MembershipContext } from "./change.ts";
import { refuseClosed, sentBy } from "./invites.ts";
import { describeMember } from "./member.ts";
import { rightsOf } from "./member-rights.ts";
import { policiesBehind, refuseRightsBeyond } from "./refuse-rights.ts";
import { findResourceGroupsOf, scopesOf } from "./resource-groups.ts";
import { selectMembership, type FullMembership } from "./store.ts";

interface InviteLink {
  /** Not stored. */
  readonly token: string;
  readonly expiresOn: string;
}

/**
 * Sends an open invite anew, as the caller's, with a link in place of the one before. Whoever has the link gets what the
 * invite gives, so the caller needs all of it.
 * Errors: 404 code 1003, 400 code 1006 for an answered invite, 400 code 1007 for an expired one, 400 code 1004 for one to
 * an e-mail that has a user, 403 code 9109 for one that gives more than the caller's own rights.
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
