import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { SessionRow } from "../../storage/schema/sign-in.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import type { Context } from "../../operation/context.ts";
import type { SessionWork } from "../../operation/open.ts";
import { lockUser } from "../../operation/scope.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import type { TwoFactorTerms } from "../two-factor/two-factor.ts";
import { findUser } from "../users/users.ts";
import { newDeviceCookie, type DeviceCookie, deviceOf } from "./device-cookies.ts";
import type { PasswordGuard, KnownClient, PasswordClient } from "./password-guard.ts";
import type { Session } from "./schema.ts";
import { deleteSession } from "./store.ts";

/** The last use of sessions, by the hash of the id; stored at intervals. */
export type SessionUse = Map<string, Date>;

export interface SessionTerms {
  /** Lifetime of an unused session. */
  readonly idleMs: number;
  /** Longest lifetime. */
  readonly lifetimeMs: number;
}

export interface SessionContext extends Context {
  readonly secretBox: SecretBox;
  readonly passwordGuard: PasswordGuard;
  readonly sessionTerms: SessionTerms;
  readonly sessionUse: SessionUse;
  readonly twoFactor: TwoFactorTerms;
}

export type Browser = SessionWork<SessionContext>["browser"];

/** The cookies and the answer of a new session. */
interface StartedSession {
  readonly result: Session;
  readonly cookie: { readonly value: string; readonly maxAgeSeconds: number };
  readonly deviceCookie: DeviceCookie | undefined;
}

type User = Pick<UserRow, "id" | "email">;

export function isInForce(
  session: Pick<SessionRow, "used_on" | "expires_on">,
  now: Date,
  idleMs: number,
): boolean {
  return session.expires_on > toTimestamp(now) && session.used_on > beforeIdling(now, idleMs);
}

/** A session last used before this time has ended. */
export function beforeIdling(now: Date, idleMs: number): Timestamp {
  return toTimestamp(new Date(now.getTime() - idleMs));
}

/** A stored session with its last use. */
export async function findSession(
  db: Db,
  idHash: string,
  use: SessionUse,
): Promise<Pick<SessionRow, "user_id" | "used_on" | "expires_on" | "by_provider"> | undefined> {
  const row = await selectRow(db, "sessions", { id_hash: idHash });
  return row && { ...row, used_on: lastUseOf(row, use) };
}

/** The time at which a session was last used; the store learns of it with a delay. */
export function lastUseOf(
  { id_hash, used_on }: Pick<SessionRow, "id_hash" | "used_on">,
  use: SessionUse,
): Timestamp {
  const noted = use.get(id_hash);
  return noted !== undefined && toTimestamp(noted) > used_on ? toTimestamp(noted) : used_on;
}

export async function startSession(
  context: SessionContext,
  tx: Db,
  user: UserRow,
  { address, byProvider = false }: Pick<Browser, "address"> & { readonly byProvider?: boolean },
): Promise<StartedSession> {
  const { lifetimeMs } = context.sessionTerms;
  const now = context.now();
  const id = newSessionSecret();
  const expires_on = toTimestamp(new Date(now.getTime() + lifetimeMs));
  const started_on = toTimestamp(now);
  const row = {
    id_hash: hashSecret(id),
    user_id: user.id,
    used_on: started_on,
    expires_on,
    started_on,
    address,
    by_provider: toFlag(byProvider),
  };
  await insertRow(tx, "sessions", row);
  return {
    result: toSession(context, user, row),
    cookie: { value: id, maxAgeSeconds: Math.floor(lifetimeMs / 1000) },
    deviceCookie: newDeviceCookie(context, user.id),
  };
}

/** Ends the browser's session, if it has one. */
export async function endSessionOf(tx: Db, { sessionId }: Browser): Promise<void> {
  if (sessionId !== undefined) await deleteSession(tx, hashSecret(sessionId));
}

/** The signed-in user. Errors: 401 code 10401. */
export async function requireSession(
  context: SessionContext,
  { sessionId }: Browser,
): Promise<{ user: UserRow; idHash: string; session: Session }> {
  const { db, now, sessionTerms, sessionUse } = context;
  const idHash = hashSecret(sessionId ?? "");
  const row = await findSession(db.read, idHash, sessionUse);
  if (row === undefined || !isInForce(row, now(), sessionTerms.idleMs)) throw noSession();
  const user = await findUser(db.read, row.user_id);
  if (user === undefined) throw noSession();
  return { user, idHash, session: toSession(context, user, row) };
}

interface AccessWork extends Omit<ChangeWork, "audit"> {
  /** Logs an action of the user. */
  readonly audit: (action: AuditAction) => void;
  /** Logs any change. */
  readonly auditOther: ChangeWork["audit"];
}

/** Changes the access of a user under its lock; the change takes effect at the next request. */
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
      return change({
        ...work,
        auditOther: work.audit,
        audit: (action) => work.audit({ action, id }),
      });
    },
  );
}

/** 401 code 10401. */
export function noSession(): AppError {
  return new AppError(
    "unauthenticated",
    errorCodes.sessions.none,
    "There is no session, or it has ended: sign in",
    { beforeResource: true },
  );
}

function toSession(
  { twoFactor }: SessionContext,
  user: UserRow,
  session: Pick<SessionRow, "expires_on" | "by_provider">,
): Session {
  const { id, email } = user;
  const { expires_on } = session;
  return { user: { id, email }, expires_on, needs_second_factor: lacksFactor(twoFactor, user, session) };
}

type Terms = Pick<TwoFactorTerms, "isRequired">;
type FactorUser = Pick<UserRow, "second_factor_since">;

/** Whether a session permits nothing yet but setting up a second factor. */
export function lacksFactor(
  { isRequired }: Terms,
  { second_factor_since }: FactorUser,
  { by_provider }: Pick<SessionRow, "by_provider">,
): boolean {
  return isRequired && second_factor_since === null && by_provider !== 1;
}

/** 403 code 10416. */
export function secondFactorNeeded(): AppError {
  return new AppError(
    "forbidden",
    errorCodes.sessions.secondFactorNeeded,
    'This server requires a second factor: set one up under "Two-factor sign-in" first',
    { beforeResource: true },
  );
}

/** A browser in which the user signed in before. */
export function knownByDevice(
  context: SessionContext,
  { deviceCookie }: Browser,
  userId: string,
): KnownClient | undefined {
  const device = deviceOf(context, userId, deviceCookie);
  return device === undefined ? undefined : { userId, proof: `device ${device}` };
}

export function knownBySession(
  { address }: Browser,
  { user, idHash }: { readonly user: Pick<UserRow, "id">; readonly idHash: string },
): PasswordClient {
  return { address, known: { userId: user.id, proof: `session ${idHash}` } };
}

/** Returns the hash of the user's password. Errors: 403 code 10411 with `pointer`, 429 code 10429. */
export async function verifyOwnPassword(
  { db, passwordGuard }: SessionContext,
  client: PasswordClient,
  { id, email }: UserRow,
  password: string,
  pointer: string,
): Promise<string> {
  const hash = (await selectRow(db.read, "passwords", { user_id: id }))?.hash;
  const isRight = await passwordGuard.verify({ client, email, password, hash });
  if (!isRight || hash === undefined) throw wrongPassword("Wrong password", pointer);
  return hash;
}

/**
 * The signed-in user, who has sent the password once more. Errors: 401 code 10401, 403 code 10411, 429 code
 * 10429.
 */
export async function reauthenticate(
  context: SessionContext,
  browser: Browser,
  password: string,
): Promise<UserRow> {
  const signedIn = await requireSession(context, browser);
  const { user } = signedIn;
  await verifyOwnPassword(context, knownBySession(browser, signedIn), user, password, "/password");
  return user;
}

/** 403 code 10411. */
export function wrongPassword(message: string, pointer?: string): AppError {
  return new AppError("forbidden", errorCodes.sessions.wrongPassword, message, {
    ...(pointer !== undefined && { pointer }),
    beforeResource: pointer === undefined,
  });
}
