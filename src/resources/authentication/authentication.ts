import { partyOf, type Credential, type Identity } from "../../core/policy/caller.ts";
import { foldEmail } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { FairMap } from "../../core/fair-map.ts";
import { limitGrants } from "../../core/policy/grants.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Database } from "../../storage/database.ts";
import type { Db } from "../../storage/tables.ts";
import { rightsOfAccountToken, rightsOfUser } from "../memberships/memberships.ts";
import {
  findSession,
  lacksFactor,
  isInForce as isSessionInForce,
  noSession,
  secondFactorNeeded,
  type SessionTerms,
  type SessionUse,
} from "../sessions/sessions.ts";
import { findTokenBySecret, isInForce, type TokenTerms } from "../tokens/tokens.ts";
import { findOwner, findUser, findUserByKey } from "../users/users.ts";
import { createFailures } from "./failures.ts";

/** Credentials of the right form. */
export interface PresentedCredentials {
  readonly token: string | undefined;
  readonly key: { readonly email: string; readonly key: string } | undefined;
  /** Id of a session; it comes without other credentials. Empty for a browser without a session. */
  readonly session?: string;
}

/** The cached facts of a valid secret. */
interface Known {
  readonly identity: Identity;
  /** Undefined for a key, which is not limited in time or address. */
  readonly terms: TokenTerms | undefined;
}

interface AuthenticatorContext {
  readonly db: Database;
  readonly now: () => Date;
  /** Invalid secrets that an address may send in a minute; undefined for no limit. */
  readonly failuresMax: number | undefined;
  /** Called for every use of a token. */
  readonly tokenUsed: (tokenId: string) => void;
  readonly sessionTerms: Pick<SessionTerms, "idleMs">;
  /** Receives the time of every use of a session. */
  readonly sessionUse: SessionUse;
  /** Whether every user needs a second factor. */
  readonly twoFactor: { readonly isRequired: boolean };
}

interface KnownSession {
  readonly identity: Identity;
  /** Whether its user has to set up a second factor first. */
  readonly lacksFactor: boolean;
  used_on: Timestamp;
  readonly expires_on: Timestamp;
}

const knownMax = 10_000;

/**
 * Creates the function that authenticates a request: it returns the caller's identity, or an error 403 code
 * 9103 or 9109 (401 code 10401 or 403 code 10416 for a session). Valid secrets are cached by their hashes
 * until access changes: at once where this process changes it, within a second where another one does. Throws
 * 403 code 9109 for an address that has sent too many invalid secrets.
 */
export function createAuthenticator(context: AuthenticatorContext): {
  readonly authenticate: (credentials: PresentedCredentials, address: string) => Promise<Identity | AppError>;
  /** Forgets valid secrets, and the counts of invalid ones by address. */
  readonly forgetAll: () => void;
} {
  const { db, now, failuresMax, tokenUsed, sessionTerms, sessionUse } = context;
  const known = new FairMap<string, Known>({ weightMax: knownMax });
  const knownSessions = new FairMap<string, KnownSession>({ weightMax: knownMax });
  const failures = createFailures(failuresMax, now);
  let generation = 0;
  const forgetCallers = (): void => {
    generation += 1;
    known.clear();
    knownSessions.clear();
    failures.forgetSecrets();
  };
  db.onChange((changes) => {
    if (changes === undefined || changes.isOfAccess) forgetCallers();
  });

  const lookUp = async (
    secretHash: string,
    address: string,
    find: () => Promise<Known | undefined>,
  ): Promise<Known | undefined> => {
    const remembered = known.get(secretHash);
    if (remembered !== undefined) return remembered;
    failures.refuseKnown(address, secretHash);
    const askedIn = generation;
    const found = await find();
    // A result that was read before a change must not be cached after it.
    const isCurrent = askedIn === generation;
    if (found === undefined) {
      if (isCurrent) failures.remember(address, secretHash);
      failures.count(address);
      return undefined;
    }
    if (isCurrent) known.set(secretHash, found, [partyOf(found.identity)]);
    return found;
  };

  // Failures are not limited: an id of 256 bits cannot be guessed, and a browser may ask again after its
  // session has ended.
  const authenticateSession = async (id: string): Promise<Identity | AppError> => {
    const idHash = hashSecret(id);
    let session = knownSessions.get(idHash);
    // Another instance may have noted a later use.
    if (session === undefined || !isSessionInForce(session, now(), sessionTerms.idleMs)) {
      const askedIn = generation;
      session = await findBySession(context, idHash);
      if (session === undefined) return noSession();
      if (askedIn === generation) knownSessions.set(idHash, session, [partyOf(session.identity)]);
    }
    if (!isSessionInForce(session, now(), sessionTerms.idleMs)) return noSession();
    session.used_on = toTimestamp(now());
    sessionUse.set(idHash, now());
    return session.lacksFactor ? secondFactorNeeded() : session.identity;
  };

  return {
    authenticate: async ({ token, key, session }, address) => {
      if (session !== undefined) return authenticateSession(session);
      let byKey: Known | undefined;
      if (key !== undefined) {
        const keyHash = hashSecret(`${foldEmail(key.email)} ${key.key}`);
        byKey = await lookUp(keyHash, address, () => findByKey(db, key.email, key.key));
        // Where both are sent, the token counts, but a wrong pair is still refused.
        if (byKey === undefined) return unknownPair();
      }
      if (token === undefined) return byKey?.identity ?? invalidToken();
      const byToken = await lookUp(hashSecret(token), address, () => findByToken(db, token));
      if (byToken === undefined) return invalidToken();
      const { identity, terms } = byToken;
      if (terms !== undefined) {
        if (!isInForce(terms, now())) return invalidToken();
        if (!terms.allowsAddress(address)) return wrongLocation(address);
      }
      if (identity.credential.kind === "token") tokenUsed(identity.credential.tokenId);
      return identity;
    },
    forgetAll: () => {
      forgetCallers();
      failures.forgetAll();
    },
  };
}

async function findByKey({ read }: Database, email: string, key: string): Promise<Known | undefined> {
  const user = await findUserByKey(read, email, key);
  if (user === undefined) return undefined;
  return { identity: await identityOf(read, user, { kind: "key" }), terms: undefined };
}

async function findBySession(
  { db: { read }, sessionUse, twoFactor }: AuthenticatorContext,
  idHash: string,
): Promise<KnownSession | undefined> {
  const session = await findSession(read, idHash, sessionUse);
  const user = session && (await findUser(read, session.user_id));
  if (session === undefined || user === undefined) return undefined;
  const { used_on, expires_on } = session;
  const identity = await identityOf(read, user, { kind: "session" });
  return { identity, lacksFactor: lacksFactor(twoFactor, user, session), used_on, expires_on };
}

/** The owner, as its Global API Key identifies it. */
export async function identityOfOwner({ read }: Pick<Database, "read">): Promise<Identity> {
  const owner = await findOwner(read);
  if (owner === undefined) throw new Error("there is no owner");
  return identityOf(read, owner, { kind: "key" });
}

/** A user with all of its rights. */
async function identityOf(
  db: Db,
  { id, email }: { readonly id: string; readonly email: string },
  credential: Credential,
): Promise<Identity> {
  return { user: { id, email }, credential, grantors: [id], ...(await rightsOfUser(db, id)) };
}

async function findByToken({ read }: Database, secret: string): Promise<Known | undefined> {
  const token = await findTokenBySecret(read, secret);
  if (token === undefined) return undefined;
  const { id: tokenId, owner, grants, grantors, terms } = token;
  if ("accountId" in owner) {
    const { accountId } = owner;
    const rights = await rightsOfAccountToken(read, accountId, grantors);
    return {
      identity: {
        user: undefined,
        credential: { kind: "token", tokenId, accountId },
        accountIds: rights.accountIds,
        grants: limitGrants(grants, rights.grants),
        grantors,
      },
      terms,
    };
  }
  const user = await findUser(read, owner.userId);
  if (user === undefined) return undefined;
  const rights = await rightsOfUser(read, user.id);
  return {
    identity: {
      user: { id: user.id, email: user.email },
      credential: { kind: "token", tokenId, accountId: undefined },
      accountIds: rights.accountIds,
      grants: limitGrants(grants, rights.grants),
      grantors: [user.id],
    },
    terms,
  };
}

function unknownPair(): AppError {
  return new AppError("forbidden", errorCodes.credentials.wrongKey, "Unknown X-Auth-Key or X-Auth-Email", {
    beforeResource: true,
  });
}

function invalidToken(): AppError {
  return new AppError("forbidden", errorCodes.credentials.invalidToken, "Invalid access token", {
    beforeResource: true,
  });
}

function wrongLocation(address: string): AppError {
  return new AppError(
    "forbidden",
    errorCodes.credentials.invalidToken,
    `Cannot use the access token from location: ${address}`,
    { beforeResource: true },
  );
}
