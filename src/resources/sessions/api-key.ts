import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import { SecretKeyError } from "../../secrets/secret-box.ts";
import { deleteRows, putRow, selectRow } from "../../storage/rows.ts";
import type { Sealed } from "../../storage/columns.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import { isGlobalApiKeyOf, replaceGlobalApiKey } from "../users/users.ts";
import { knownBySession, verifyOwnPassword, wrongPassword } from "./own-password.ts";
import { ApiKey, OwnPasswordBody } from "./schema.ts";
import { secondFactorNeeded } from "./second-factor-needed.ts";
import { changeAccess, requireSession, type Browser, type SessionContext } from "./session.ts";

/**
 * Only keys made by `changeApiKey` can be shown: of others only the hash is stored.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 410 code 10414 for other keys, 503 code 10504.
 */
export const viewApiKey = sessionOperation({
  name: "viewApiKey",
  summary: "View the Global API Key, if it was changed since it was created",
  method: "POST",
  path: "/session/api_key/view",
  needsSession: true,
  body: OwnPasswordBody,
  result: ApiKey,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const { user } = await confirmIdentity(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      const kept = await selectRow(tx, "kept_api_keys", { user_id: user.id });
      if (kept === undefined) throw notKept();
      const api_key = context.secretBox.open(kept.api_key, sealedPlace("kept_api_keys.api_key", user.id));
      // A preset `owner_key` may have replaced it.
      if (!(await isGlobalApiKeyOf(tx, user.id, api_key))) throw notKept();
      audit("api_key_view");
      return { result: { api_key } };
    });
  },
});

/**
 * With a secret key the new API key is also stored encrypted, and can be viewed.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429.
 */
export const changeApiKey = sessionOperation({
  name: "changeApiKey",
  summary: "Change the Global API Key; the previous one stops working",
  method: "POST",
  path: "/session/api_key/change",
  needsSession: true,
  body: OwnPasswordBody,
  result: ApiKey,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const { user, hash } = await confirmIdentity(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if ((await selectRow(tx, "passwords", { user_id: user.id }))?.hash !== hash) {
        throw wrongPassword("Wrong password", "/password");
      }
      const api_key = await replaceGlobalApiKey(context, tx, user.id);
      const sealed = sealWhereItCan(context, api_key, user.id);
      if (sealed === undefined) await deleteRows(tx, "kept_api_keys", { user_id: user.id });
      else await putRow(tx, "kept_api_keys", { user_id: user.id, api_key: sealed });
      audit("api_key_change");
      return { result: { api_key } };
    });
  },
});

/** As `reauthenticate`, with the hash of the password; refuses a user who lacks the second factor that an account asks for. */
async function confirmIdentity(context: SessionContext, browser: Browser, password: string) {
  const signedIn = await requireSession(context, browser);
  const { user, session } = signedIn;
  if (session.needs_second_factor) throw secondFactorNeeded();
  const client = knownBySession(browser, signedIn);
  return { user, hash: await verifyOwnPassword(context, client, user, password, "/password") };
}

/** Without a secret key the API key can be changed but not viewed. */
function sealWhereItCan({ secretBox }: SessionContext, key: string, userId: string): Sealed | undefined {
  try {
    return secretBox.seal(key, sealedPlace("kept_api_keys.api_key", userId));
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

function notKept(): AppError {
  return new AppError(
    "gone",
    errorCodes.sessions.keyNotKept,
    "Only the hash of this Global API Key is stored, so it cannot be shown; change it to get another one",
  );
}
