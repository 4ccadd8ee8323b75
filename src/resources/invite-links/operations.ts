import { errorCodes } from "../../core/error-codes.ts";
import { AppError, forbidden } from "../../core/error.ts";
import type { Caller } from "../../core/policy/caller.ts";
import { accountWrite, type AccountWrite, lockAccount } from "../../operation/scope.ts";
import { sessionOperation, type SessionResult, type SessionWork } from "../../operation/open.ts";
import { unitOfWork } from "../../operation/unit-of-work.ts";
import type { Db } from "../../storage/tables.ts";
import {
  answerInvite,
  findInviteOfLink,
  isExpired,
  linkInvite,
  type FullMembership,
} from "../memberships/memberships.ts";
import {
  endSessionOf,
  refuseShortPassword,
  Session,
  startSession,
  type SessionContext,
} from "../sessions/sessions.ts";
import { addUser, findOwner, newUser } from "../users/users.ts";
import { putRow } from "../../storage/rows.ts";
import { InviteLink, JoinBody, OpenInvite, OpenInviteBody } from "./schema.ts";

/** The context of operations that make users of those who are invited. */
export interface InviteLinkContext extends SessionContext {
  /** The brand segment of keys. */
  readonly vendor: string;
  /** The users who may make links: `members` are all who may invite. */
  readonly inviteLinks: "nobody" | "owner" | "members";
}

/** Errors: 403 code 1011 where the settings do not permit it to the caller, and as `linkInvite`. */
export const createInviteLink = accountWrite({
  name: "createInviteLink",
  summary: "Make a link by which somebody who is invited becomes a user and a member",
  method: "POST",
  path: "/accounts/{account_id}/members/{member_id}/invite_link",
  permission: "Account Settings Write",
  result: InviteLink,
  run: async (work: AccountWrite<InviteLinkContext>, { params: { member_id: id } }) => {
    await refuseLinks(work.context, work.tx, work.caller);
    const { token, expiresOn } = await linkInvite(work, id);
    return { token, expires_on: expiresOn };
  },
});

/** Errors: 403 code 10412 for a link that is of no use. */
export const getOpenInvite = sessionOperation({
  name: "getOpenInvite",
  summary: "Get the invite that a link is for",
  method: "POST",
  path: "/session/invite",
  needsSession: false,
  body: OpenInviteBody,
  result: OpenInvite,
  run: async ({ context }: SessionWork<InviteLinkContext>, { body: { token } }) => {
    const invite = await findOpenInvite(context, context.db.read, token);
    return {
      result: {
        email: invite.email_folded,
        account_name: invite.account_name,
        invited_by: invite.invited_by,
        expires_on: invite.expires_on,
      },
    };
  },
});

/**
 * Creates the user of an invite with a password, makes it a member and signs it in, all or nothing.
 * Errors: 400 code 1003 for a short password, 403 code 10412 for a link that is of no use, 403 code 9109 for
 * an invite that gives more than whoever made the link may give now, 429 code 10429.
 */
export const joinByInvite = sessionOperation({
  name: "joinByInvite",
  summary: "Become a user and a member by the link of an invite, and sign in",
  method: "POST",
  path: "/session/invite/join",
  needsSession: false,
  body: JoinBody,
  result: Session,
  run: async ({ context, browser }: SessionWork<InviteLinkContext>, { body: { token, password } }) => {
    refuseShortPassword(password, "/password");
    // Checked before the expensive hash.
    const { id, account_id, email_folded } = await findOpenInvite(context, context.db.read, token);
    const { address, noteAuditLog } = browser;
    const hash = await context.passwordGuard.hash({ address, known: undefined }, password);
    const user = newUser(context, email_folded);
    return unitOfWork<object, SessionResult>(
      context,
      { user, credential: { kind: "session" }, address, noteAuditLog },
      async (tx) => {
        await lockAccount(tx, account_id);
        return { scope: {}, owner: { userId: user.id } };
      },
      async (work) => {
        const { tx, audit, afterCommit } = work;
        // The invite may have been used or changed during the hash.
        await findOpenInvite(context, tx, token);
        audit(await addUser(tx, user));
        await answerInvite({ ...work, context, user, now: context.now() }, id, { status: "accepted" });
        await putRow(tx, "passwords", { user_id: user.id, hash });
        await endSessionOf(tx, browser);
        const started = await startSession(context, tx, user, browser);
        audit({ action: "password_set", id: user.id });
        afterCommit(() => context.passwordGuard.signedIn(address, user.email));
        return started;
      },
    );
  },
});

async function refuseLinks({ inviteLinks }: InviteLinkContext, tx: Db, { user }: Caller): Promise<void> {
  if (inviteLinks === "members") return;
  if (inviteLinks === "owner" && user !== undefined && user.id === (await findOwner(tx))?.id) return;
  throw forbidden(
    errorCodes.members.noInviteLinks,
    "Links that make users are " +
      (inviteLinks === "owner"
        ? "for the owner of the server alone"
        : "off: the operator sets `invite_links`"),
  );
}

/**
 * The same refusal whatever the reason, so that a link that is of no use tells nothing.
 * Errors: 403 code 10412.
 */
async function findOpenInvite(
  { inviteLinks, now }: InviteLinkContext,
  db: Db,
  token: string,
): Promise<FullMembership> {
  const invite = inviteLinks === "nobody" ? undefined : await findInviteOfLink(db, token);
  if (invite !== undefined && invite.holder_id === null && !isExpired(invite, now())) return invite;
  throw new AppError(
    "forbidden",
    errorCodes.sessions.invalidLink,
    "The link was used before, was replaced, has expired or is not complete: ask for another one, or sign in if you " +
      "have a user here",
    { pointer: "/token" },
  );
}
