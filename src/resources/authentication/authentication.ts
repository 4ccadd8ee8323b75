import type { Identity } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { compilePolicies, limitGrants } from "../../core/policy/grants.ts";
import { policiesOfAccount, policiesOfUser } from "../../core/policy/roles.ts";
import { hashSecret } from "../../secrets.ts";
import type { Database } from "../../storage/database.ts";
import type { UserRow } from "../../storage/tables.ts";
import { listRolesOfUser } from "../accounts/accounts.ts";
import { findTokenBySecret, isInForce, type TokenTerms } from "../tokens/tokens.ts";
import { findUser, findUserByKey } from "../users/users.ts";

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
  /** Told of every use of a token. */
  readonly tokenUsed: (tokenId: string) => void;
}

const knownMax = 10_000;

/**
 * Makes the function that finds out whom a request stands for. What is found is remembered by the hash of the secret
 * until `forgetCallers`, which every change of users, tokens or memberships calls; a change by another process
 * is heard within a second.
 */
export function createAuthenticator({ db, now, tokenUsed }: AuthenticatorContext): {
  readonly authenticate: (credentials: PresentedCredentials, address: string) => Promise<Identity>;
  readonly forgetCallers: () => void;
} {
  const known = new Map<string, Known>();
  let generation = 0;
  const forgetCallers = (): void => {
    generation += 1;
    known.clear();
  };
  db.onChangeElsewhere(forgetCallers);

  const remember = async (secretHash: string, find: () => Promise<Known>): Promise<Known> => {
    const remembered = known.get(secretHash);
    if (remembered !== undefined) return remembered;
    const askedIn = generation;
    const found = await find();
    if (known.size >= knownMax) known.clear();
    // What was found before a change must not outlive it.
    if (askedIn === generation) known.set(secretHash, found);
    return found;
  };

  return {
    authenticate: async ({ token, key }, address) => {
      // Both may arrive together: the token is judged, and a wrong pair is refused all the same.
      const byKey =
        key &&
        (await remember(hashSecret(`${key.email.toLowerCase()} ${key.key}`), () =>
          findByKey(db, key.email, key.key),
        ));
      if (token === undefined) return byKey?.identity ?? refuseToken();
      const { identity, terms } = await remember(hashSecret(token), () => findByToken(db, token));
      if (terms !== undefined) refuseOutsideTerms(terms, now(), address);
      if (identity.credential.kind === "token") tokenUsed(identity.credential.tokenId);
      return identity;
    },
    forgetCallers,
  };
}

/** Errors: 403 code 9103. */
async function findByKey({ read }: Database, email: string, key: string): Promise<Known> {
  const user = await findUserByKey(read, email, key);
  if (user === undefined) {
    throw new AppError("forbidden", 9103, "Unknown X-Auth-Key or X-Auth-Email", { atGate: true });
  }
  const { ownerGrants, accountIds } = await rightsOfUser({ read }, user);
  return {
    identity: {
      user: { id: user.id, email: user.email },
      credential: { kind: "key" },
      accountIds,
      grants: ownerGrants,
      ownerGrants,
    },
    terms: undefined,
  };
}

/** Errors: 403 code 9109. */
async function findByToken({ read }: Database, secret: string): Promise<Known> {
  const token = await findTokenBySecret(read, secret);
  if (token === undefined) return refuseToken();
  const { id: tokenId, owner, grants, terms } = token;
  if ("accountId" in owner) {
    const { accountId } = owner;
    const ownerGrants = compilePolicies(policiesOfAccount(accountId));
    return {
      identity: {
        user: undefined,
        credential: { kind: "token", tokenId, accountId },
        accountIds: [accountId],
        grants: limitGrants(grants, ownerGrants),
        ownerGrants,
      },
      terms,
    };
  }
  const user = await findUser(read, owner.userId);
  if (user === undefined) return refuseToken();
  const { ownerGrants, accountIds } = await rightsOfUser({ read }, user);
  return {
    identity: {
      user: { id: user.id, email: user.email },
      credential: { kind: "token", tokenId, accountId: undefined },
      accountIds,
      grants: limitGrants(grants, ownerGrants),
      ownerGrants,
    },
    terms,
  };
}

async function rightsOfUser(
  { read }: Pick<Database, "read">,
  user: UserRow,
): Promise<Pick<Identity, "ownerGrants" | "accountIds">> {
  const memberships = await listRolesOfUser(read, user.id);
  return {
    ownerGrants: compilePolicies(policiesOfUser(user.id, memberships)),
    accountIds: memberships.map(({ accountId }) => accountId),
  };
}

/** Errors: 403 code 9109 (decision 13). */
function refuseOutsideTerms(terms: TokenTerms, now: Date, address: string): void {
  if (!isInForce(terms, now)) refuseToken();
  if (terms.allowsAddress(address)) return;
  throw new AppError("forbidden", 9109, `Cannot use the access token from location: ${address}`, {
    atGate: true,
  });
}

function refuseToken(): never {
  throw new AppError("forbidden", 9109, "Invalid access token", { atGate: true });
}
