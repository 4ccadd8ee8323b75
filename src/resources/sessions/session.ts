import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { Db, SessionRow, UserRow } from "../../storage/tables.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import type { AccessContext } from "../../operation/context.ts";
import type { SessionWork } from "../../operation/open.ts";
import { lockUser } from "../../operation/scope.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { findUser } from "../users/users.ts";
import { newDeviceCookie, type DeviceCookie } from "./device-cookies.ts";
import type { PasswordGuard } from "./password-guard.ts";
import type { Session } from "./schema.ts";
import { deleteSession, insertSession, selectSession } from "./store.ts";

/** When sessions were last used, by the hashes of their ids: written now and then, off the requests. */
export type SessionUse = Map<string, Date>;

export interface SessionTerms {
  /** How long a session lasts that is not used. */
  readonly idleMs: number;
  /** How long one lasts at the most. */
  readonly lifetimeMs: number;
}

export interface SessionContext extends AccessContext {
  readonly secretBox: SecretBox;
  readonly passwordGuard: PasswordGuard;
  readonly sessionTerms: SessionTerms;
  readonly sessionUse: SessionUse;
}

export type Browser = SessionWork<SessionContext>["browser"];

/** What the browser gets, and shows from then on. */
interface StartedSession {
  readonly result: Session;
  readonly cookie: { readonly value: string; readonly maxAgeSeconds: number };
  readonly deviceCookie: DeviceCookie | undefined;
}

type User = Pick<UserRow, "id" | "email">;

/** Whether a session has not ended by its times. */
export function isInForce(
  session: Pick<SessionRow, "used_on" | "expires_on">,
  now: Date,
  idleMs: number,
): boolean {
  return session.expires_on > toTimestamp(now) && session.used_on > beforeIdling(now, idleMs);
}

/** What was last used then has ended for want of use. */
export function beforeIdling(now: Date, idleMs: number): Timestamp {
  return toTimestamp(new Date(now.getTime() - idleMs));
}

/** The session of an id as it is stored, or used since. */
export async function findSession(
  db: Db,
  idHash: string,
  use: SessionUse,
): Promise<Pick<SessionRow, "user_id" | "used_on" | "expires_on"> | undefined> {
  const row = await selectSession(db, idHash);
  const usedOn = use.get(idHash);
  if (row === undefined || usedOn === undefined || toTimestamp(usedOn) <= row.used_on) return row;
  return { ...row, used_on: toTimestamp(usedOn) };
}

/** Begins a session in a transaction. */
export async function startSession(context: SessionContext, tx: Db, user: User): Promise<StartedSession> {
  const { lifetimeMs } = context.sessionTerms;
  const now = context.now();
  const id = newSessionSecret();
  const expires_on = toTimestamp(new Date(now.getTime() + lifetimeMs));
  const row = { id_hash: hashSecret(id), user_id: user.id, used_on: toTimestamp(now), expires_on };
  await insertSession(tx, row);
  return {
    result: toSession(user, row),
    cookie: { value: id, maxAgeSeconds: Math.floor(lifetimeMs / 1000) },
    deviceCookie: newDeviceCookie(context, user.id),
  };
}

/** Ends the session that a browser has, where another one takes its place. */
export async function endSessionOf(tx: Db, { sessionId }: Browser): Promise<void> {
  if (sessionId !== undefined) await deleteSession(tx, hashSecret(sessionId));
}

/** Who is signed in. Errors: 401 code 10401. */
export async function requireSession(
  { db, now, sessionTerms, sessionUse }: SessionContext,
  { sessionId }: Browser,
): Promise<{ user: UserRow; idHash: string; session: Session }> {
  const idHash = hashSecret(sessionId ?? "");
  const row = await findSession(db.read, idHash, sessionUse);
  if (row === undefined || !isInForce(row, now(), sessionTerms.idleMs)) throw noSession();
  const user = await findUser(db.read, row.user_id);
  if (user === undefined) throw noSession();
  return { user, idHash, session: toSession(user, row) };
}

/** What a change of a user's access gets. */
interface AccessWork extends Omit<ChangeWork, "audit"> {
  /** Notes what the user did, for the audit log. */
  readonly audit: (action: AuditAction) => void;
}

/**
 * Changes the access of a user as its browser asks, while nobody else changes it, and makes that felt at the next
 * request.
 */
export async function changeAccess<Result>(
  context: SessionContext,
  { address, noteAuditLog }: Browser,
  { id, email }: User,
  change: (work: AccessWork) => Promise<Result>,
): Promise<Result> {
  return unitOfWork(
    context,
    { user: { id, email }, credential: { kind: "session" }, address, noteAuditLog },
    async (tx) => {
      await lockUser(tx, id);
      return { scope: {}, owner: { userId: id } };
    },
    async (work) => {
      work.afterCommit(context.forgetCallers);
      return change({
        ...work,
        audit: (action) => work.audit({ action, resource: { type: "user", id } }),
      });
    },
  );
}

/** What tells a browser to sign in. */
export function noSession(): AppError {
  return new AppError(
    "unauthenticated",
    errorCodes.sessions.none,
    "There is no session, or it has ended: sign in",
    { beforeResource: true },
  );
}

function toSession({ id, email }: User, { expires_on }: Pick<SessionRow, "expires_on">): Session {
  return { user: { id, email }, expires_on };
}
