import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { hashSecret } from "../../secrets.ts";
import type { Database } from "../../storage/database.ts";
import { listAccountIdsOfUser } from "../accounts/accounts.ts";
import { findTokenBySecret } from "../tokens/tokens.ts";
import { findUser, findUserByKey } from "../users/users.ts";

/** Credentials of good form (specification 5.1). */
export interface PresentedCredentials {
  readonly token: string | undefined;
  readonly key: { readonly email: string; readonly key: string } | undefined;
}

const callersMax = 10_000;

/**
 * Makes the function that finds out who a request acts as. Callers are remembered by the hash of their
 * secret until `forgetCallers`, which every change of users, tokens or memberships calls; a change by
 * another process is heard within a second.
 */
export function createAuthenticator(db: Database): {
  readonly authenticate: (credentials: PresentedCredentials) => Promise<Caller>;
  readonly forgetCallers: () => void;
} {
  const callers = new Map<string, Caller>();
  let generation = 0;
  const forgetCallers = (): void => {
    generation += 1;
    callers.clear();
  };
  db.onChangeElsewhere(forgetCallers);

  const remember = async (secretHash: string, find: () => Promise<Caller>): Promise<Caller> => {
    const known = callers.get(secretHash);
    if (known !== undefined) return known;
    const askedIn = generation;
    const caller = await find();
    if (callers.size >= callersMax) callers.clear();
    // What was found before a change must not outlive it.
    if (askedIn === generation) callers.set(secretHash, caller);
    return caller;
  };

  return {
    authenticate: async ({ token, key }) => {
      // Both may arrive together: the token is judged, and a wrong pair is refused all the same.
      const byKey =
        key &&
        (await remember(hashSecret(`${key.email.toLowerCase()} ${key.key}`), () =>
          findCallerByKey(db, key.email, key.key),
        ));
      const byToken =
        token === undefined
          ? undefined
          : await remember(hashSecret(token), () => findCallerByToken(db, token));
      return byToken ?? byKey ?? refuseToken();
    },
    forgetCallers,
  };
}

/** Errors: 403 code 9103. */
async function findCallerByKey({ read }: Database, email: string, key: string): Promise<Caller> {
  const user = await findUserByKey(read, email, key);
  if (user === undefined) {
    throw new AppError("forbidden", 9103, "Unknown X-Auth-Key or X-Auth-Email", { atGate: true });
  }
  const accountIds = await listAccountIdsOfUser(read, user.id);
  return { user: { id: user.id, email: user.email }, credential: { kind: "key" }, accountIds };
}

/** Errors: 403 code 9109. */
async function findCallerByToken({ read }: Database, secret: string): Promise<Caller> {
  const token = await findTokenBySecret(read, secret);
  const user = token?.status === "active" ? await findUser(read, token.user_id) : undefined;
  if (token === undefined || user === undefined) return refuseToken();
  const accountIds = await listAccountIdsOfUser(read, user.id);
  return {
    user: { id: user.id, email: user.email },
    credential: { kind: "token", tokenId: token.id },
    accountIds,
  };
}

function refuseToken(): never {
  throw new AppError("forbidden", 9109, "Invalid access token", { atGate: true });
}
