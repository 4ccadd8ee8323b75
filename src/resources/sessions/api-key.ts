import { AppError } from "../../core/error.ts";
import { SecretKeyError } from "../../secrets/secret-box.ts";
import type { Sealed } from "../../storage/columns.ts";
import { isGlobalApiKeyOf, replaceGlobalApiKey } from "../users/users.ts";
import { knownBySession, verifyOwnPassword, wrongPassword } from "./own-password.ts";
import type { ApiKey, ApiKeyBody } from "./schema.ts";
import { recordForUser, requireSession, type Browser, type SessionContext } from "./session.ts";
import { deleteKeptApiKey, lockPassword, selectKeptApiKey, upsertKeptApiKey } from "./store.ts";

const placeOf = (userId: string): string => `kept_api_keys.api_key ${userId}`;

/**
 * The Global API Key of who is signed in, where it was made by `changeApiKey`: of any other only its hash is stored.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 410 code 10414 for a key that cannot be shown, 503 code
 * 10504.
 */
export async function viewApiKey(
  context: SessionContext,
  browser: Browser,
  { password }: ApiKeyBody,
): Promise<ApiKey> {
  const signedIn = await requireSession(context, browser);
  const { user } = signedIn;
  await verifyOwnPassword(context, knownBySession(browser, signedIn), user, password, "/password");
  return context.db.transaction(async (tx) => {
    const sealed = await selectKeptApiKey(tx, user.id);
    if (sealed === undefined) throw notKept();
    const api_key = context.secretBox.open(sealed, placeOf(user.id));
    // A preset `owner_key` may have taken its place.
    if (!(await isGlobalApiKeyOf(tx, user.id, api_key))) throw notKept();
    await recordForUser(context, tx, browser, user, "api_key_view");
    return { api_key };
  });
}

/**
 * Gives who is signed in another Global API Key; the one before is good no longer. Where there is a secret key it is
 * kept encrypted, and can be viewed.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429.
 */
export async function changeApiKey(
  context: SessionContext,
  browser: Browser,
  { password }: ApiKeyBody,
): Promise<ApiKey> {
  const signedIn = await requireSession(context, browser);
  const { user } = signedIn;
  const hash = await verifyOwnPassword(
    context,
    knownBySession(browser, signedIn),
    user,
    password,
    "/password",
  );
  const api_key = await context.db.transaction(async (tx) => {
    if ((await lockPassword(tx, user.id)) !== hash) throw wrongPassword("Wrong password", "/password");
    const key = await replaceGlobalApiKey(context, tx, user.id);
    const sealed = sealWhereItCan(context, key, user.id);
    if (sealed === undefined) await deleteKeptApiKey(tx, user.id);
    else await upsertKeptApiKey(tx, user.id, sealed);
    await recordForUser(context, tx, browser, user, "api_key_change");
    return key;
  });
  context.forgetCallers();
  return { api_key };
}

/** Whoever has no secret key can change its API key all the same. */
function sealWhereItCan({ secretBox }: SessionContext, key: string, userId: string): Sealed | undefined {
  try {
    return secretBox.seal(key, placeOf(userId));
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

function notKept(): AppError {
  return new AppError(
    "gone",
    10414,
    "Only the hash of this Global API Key is stored, so it cannot be shown; change it to get another one",
  );
}
