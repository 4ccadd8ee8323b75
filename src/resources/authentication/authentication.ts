import type { Identity, Rights } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { compilePolicies, limitGrants } from "../../core/policy/grants.ts";
import { policiesOfAccount, policiesOfUser } from "../../core/policy/roles.ts";
import { hashSecret } from "../../secrets.ts";
import type { Database } from "../../storage/database.ts";
import type { Db } from "../../storage/tables.ts";
import { listRolesOfUser } from "../memberships/memberships.ts";
import { findTokenBySecret, isInForce, type TokenTerms } from "../tokens/tokens.ts";
import { findUser, findUserByKey } from "../users/users.ts";
import { createFailures } from "./failures.ts";

/** Credentials of good form (specification 5.1). */
export interface PresentedCredentials {
  readonly token: string | undefined;
  readonly key: { readonly email: string; readonly key: string } | undefined;
}

/** What is remembered of a secret that is good. */
interface Known {
  readonly identity: Identity;
  /** Undefined for a key, which is good always and from everywhere. */
  readonly terms: TokenTerms | undefined;
}

interface AuthenticatorContext {
  readonly db: Database;
  readonly now: () => Date;
  /** How many bad secrets an address may send in a minute; undefined for any number (decision 15). */
  readonly failuresMax: number | undefined;
  /** Told of every use of a token. */
  readonly tokenUsed: (tokenId: string) => void;
}

const knownMax = 10_000;

/**
 * Makes the function that finds out whom a request stands for, or why it stands for nobody (an error 403 code 9103 or
 * 9109 as a value). What is found is remembered by the hash of the secret until `forgetCallers`, which every change of
 * users, tokens or memberships calls; a change by another process is heard within a second.
 * Errors: 403 code 9109 for bad secrets of an address that sent too many of them (decision 15).
 */
export function createAuthenticator({ db, now, failuresMax, tokenUsed }: AuthenticatorContext): {
  readonly authenticate: (credentials: PresentedCredentials, address: string) => Promise<Identity | AppError>;
  readonly forgetCallers: () => void;
} {
  const known = new Map<string, Known>();
  const failures = createFailures(failuresMax, now);
  let generation = 0;
  const forgetCallers = (): void => {
    generation += 1;
    known.clear();
    failures.forgetSecrets();
  };
  db.onAccessChangeElsewhere(forgetCallers);

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
    // What was found before a change must not outlive it.
    const isCurrent = askedIn === generation;
    if (found === undefined) {
      if (isCurrent) failures.remember(secretHash);
      failures.count(address);
      return undefined;
    }
    if (known.size >= knownMax) known.clear();
    if (isCurrent) known.set(secretHash, found);
    return found;
  };

  return {
    authenticate: async ({ token, key }, address) => {
      let byKey: Known | undefined;
      if (key !== undefined) {
        const keyHash = hashSecret(`${key.email.toLowerCase()} ${key.key}`);
        byKey = await lookUp(keyHash, address, () => findByKey(db, key.email, key.key));
        // Both may arrive together: the token is judged, and a wrong pair is refused all the same.
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
    forgetCallers,
  };
}

async function findByKey({ read }: Database, email: string, key: string): Promise<Known | undefined> {
  const user = await findUserByKey(read, email, key);
  if (user === undefined) return undefined;
  const rights = await rightsOfUser(read, user.id);
  return {
    identity: {
      user: { id: user.id, email: user.email },
      credential: { kind: "key" },
      grants: rights.ownerGrants,
      ...rights,
    },
    terms: undefined,
  };
}

async function findByToken({ read }: Database, secret: string): Promise<Known | undefined> {
  const token = await findTokenBySecret(read, secret);
  if (token === undefined) return undefined;
  const { id: tokenId, owner, grants, terms } = token;
  if ("accountId" in owner) {
    const { accountId } = owner;
    const rights = rightsOfAccount(accountId);
    return {
      identity: {
        user: undefined,
        credential: { kind: "token", tokenId, accountId },
        grants: limitGrants(grants, rights.ownerGrants),
        ...rights,
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
      grants: limitGrants(grants, rights.ownerGrants),
      ...rights,
    },
    terms,
  };
}

/** What a user may do by its memberships (decision 10). */
export async function rightsOfUser(db: Db, userId: string): Promise<Rights> {
  const memberships = await listRolesOfUser(db, userId);
  return {
    ownerGrants: compilePolicies(policiesOfUser(userId, memberships)),
    accountIds: memberships.map(({ accountId }) => accountId),
  };
}

/** What an account may do: everything in itself. */
export function rightsOfAccount(accountId: string): Rights {
  return { ownerGrants: compilePolicies(policiesOfAccount(accountId)), accountIds: [accountId] };
}

function unknownPair(): AppError {
  return new AppError("forbidden", 9103, "Unknown X-Auth-Key or X-Auth-Email", { atGate: true });
}

function invalidToken(): AppError {
  return new AppError("forbidden", 9109, "Invalid access token", { atGate: true });
}

/** Decision 13. */
function wrongLocation(address: string): AppError {
  return new AppError("forbidden", 9109, `Cannot use the access token from location: ${address}`, {
    atGate: true,
  });
}
