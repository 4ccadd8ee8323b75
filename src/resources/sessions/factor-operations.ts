import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import {
  confirmTotp,
  factorAdded,
  factorRemoved,
  findFactors,
  isTwoFactorLocked,
  replaceRecoveryCodes,
  startTotp,
  addChallenge,
  creationOptions,
  findChallenge,
  refusedPasskey,
  verifyNewPasskey,
  type PasskeySite,
} from "../two-factor/two-factor.ts";
import { knownUser } from "../users/users.ts";
import { deleteRows, deleteRow, insertRow, selectRow } from "../../storage/rows.ts";
import { reauthenticate, changeAccess, requireSession, type SessionContext } from "./session.ts";
import {
  AddedFactor,
  ConfirmTotpBody,
  Nothing,
  OwnPasswordBody,
  RecoveryCodes,
  TotpSecret,
  TwoFactor,
  AddPasskeyBody,
  NewPasskey,
  RemovePasskeyBody,
} from "./schema.ts";
import { factorMissing, wrongFactor } from "./second-factor.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../../core/error.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { PasskeyRow } from "../../storage/schema/sign-in.ts";

/** Errors: 401 code 10401. */
export const getTwoFactor = sessionOperation({
  name: "getTwoFactor",
  summary: "Get the second factors of the signed-in user",
  method: "GET",
  path: "/session/two_factor",
  needsSession: true,
  result: TwoFactor,
  run: async ({ context, browser }: SessionWork<SessionContext>) => {
    const { user } = await requireSession(context, browser);
    const { db, twoFactor } = context;
    const { totp, passkeys, recoveryCodes } = await findFactors(db.read, user.id);
    return {
      result: {
        enabled: user.second_factor_since !== null,
        locked: await isTwoFactorLocked(db.read, twoFactor, user.id),
        totp,
        passkeys: passkeys.map(({ id, name, site, created_on, last_used_on }) => {
          return { id, name, site, created_on, last_used_on };
        }),
        recovery_codes: recoveryCodes,
        passkey_origin: twoFactor.passkeySite?.origin ?? null,
      },
    };
  },
});

/**
 * Starts a secret, which counts once it is confirmed. Errors: 401 code 10401, 403 code 10411, 429 code 10429,
 * 400 code 10422.
 */
export const startOwnTotp = sessionOperation({
  name: "startOwnTotp",
  summary: "Make the secret of an authenticator app",
  method: "POST",
  path: "/session/two_factor/totp",
  needsSession: true,
  body: OwnPasswordBody,
  result: TotpSecret,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const user = await reauthenticate(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx }) => ({
      result: await startTotp(context, tx, user),
    }));
  },
});

/** Errors: 401 code 10401, 403 code 10417. */
export const confirmOwnTotp = sessionOperation({
  name: "confirmOwnTotp",
  summary: "Turn the authenticator app on by its first code",
  method: "POST",
  path: "/session/two_factor/totp/confirm",
  needsSession: true,
  body: ConfirmTotpBody,
  result: AddedFactor,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { code } }) => {
    const { user } = await requireSession(context, browser);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if (!(await confirmTotp(context, tx, user.id, code))) throw wrongFactor("/code");
      audit("totp_add");
      return { result: { recovery_codes: await factorAdded(context, tx, await knownUser(tx, user.id)) } };
    });
  },
});

/** Errors: 401 code 10401, 403 code 10411, 429 code 10429, 403 code 10420 for one that has to stay. */
export const removeOwnTotp = sessionOperation({
  name: "removeOwnTotp",
  summary: "Remove the authenticator app",
  method: "POST",
  path: "/session/two_factor/totp/remove",
  needsSession: true,
  body: OwnPasswordBody,
  result: Nothing,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const user = await reauthenticate(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if (!(await findFactors(tx, user.id)).totp) return { result: {} };
      await deleteRows(tx, "totp_secrets", { user_id: user.id });
      await factorRemoved(tx, context.twoFactor, user.id);
      audit("totp_remove");
      return { result: {} };
    });
  },
});

/**
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 400 code 10423 for a user without a second factor.
 */
export const renewRecoveryCodes = sessionOperation({
  name: "renewRecoveryCodes",
  summary: "Make new recovery codes; the ones before stop working",
  method: "POST",
  path: "/session/two_factor/recovery_codes",
  needsSession: true,
  body: OwnPasswordBody,
  result: RecoveryCodes,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const user = await reauthenticate(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if ((await knownUser(tx, user.id)).second_factor_since === null) throw factorMissing();
      audit("recovery_codes_make");
      return { result: { recovery_codes: await replaceRecoveryCodes(tx, user.id) } };
    });
  },
});

const passkeysMax = 20;

/**
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 400 code 10424 where there cannot be passkeys, or
 * no more.
 */
export const startOwnPasskey = sessionOperation({
  name: "startOwnPasskey",
  summary: "Begin to add a passkey",
  method: "POST",
  path: "/session/two_factor/passkeys/start",
  needsSession: true,
  body: OwnPasswordBody,
  result: NewPasskey,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const site = requireSite(context);
    const user = await reauthenticate(context, browser, password);
    const { passkeys } = await findFactors(context.db.read, user.id);
    if (passkeys.length >= passkeysMax) {
      throw invalidRequest(errorCodes.sessions.noPasskeys, `There are already ${passkeysMax} passkeys`);
    }
    const { options, challenge } = await creationOptions(site, user, passkeys);
    return changeAccess(context, browser, user, async ({ tx }) => {
      await deleteRows(tx, "sign_in_challenges", { user_id: user.id, purpose: "new-passkey" });
      const token = await addChallenge(context, tx, { userId: user.id, purpose: "new-passkey", challenge });
      return { result: { token, options } };
    });
  },
});

/**
 * Errors: 401 code 10401, 403 code 10418 where it took too long, 403 code 10419, 400 code 10424 where there
 * cannot be passkeys.
 */
export const addOwnPasskey = sessionOperation({
  name: "addOwnPasskey",
  summary: "Add a passkey",
  method: "POST",
  path: "/session/two_factor/passkeys",
  needsSession: true,
  body: AddPasskeyBody,
  result: AddedFactor,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { token, name, passkey } }) => {
    const site = requireSite(context);
    const { user } = await requireSession(context, browser);
    const { challenge, user_id } = await findChallenge(context, context.db.read, token, "new-passkey");
    if (user_id !== user.id) throw refusedPasskey();
    const { transports, ...credential } = await verifyNewPasskey(site, challenge, passkey);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      const { token_hash } = await findChallenge(context, tx, token, "new-passkey");
      await deleteRows(tx, "sign_in_challenges", { token_hash });
      const row: PasskeyRow = {
        ...credential,
        id: context.newId(),
        user_id: user.id,
        transports: toJson([...transports]),
        site: site.name,
        name: name.trim() === "" ? "Passkey" : name.trim(),
        created_on: toTimestamp(context.now()),
        last_used_on: null,
      };
      await insertRow(tx, "passkeys", row, refusedPasskey);
      audit("passkey_add");
      return { result: { recovery_codes: await factorAdded(context, tx, await knownUser(tx, user.id)) } };
    });
  },
});

/**
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 404 code 1001, 403 code 10420 for one that has to
 * stay.
 */
export const removeOwnPasskey = sessionOperation({
  name: "removeOwnPasskey",
  summary: "Remove a passkey",
  method: "POST",
  path: "/session/two_factor/passkeys/remove",
  needsSession: true,
  body: RemovePasskeyBody,
  result: Nothing,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password, id } }) => {
    const user = await reauthenticate(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if ((await selectRow(tx, "passkeys", { id, user_id: user.id })) === undefined) {
        throw invalidIdentifier("passkey");
      }
      await deleteRow(tx, "passkeys", id);
      await factorRemoved(tx, context.twoFactor, user.id);
      audit("passkey_remove");
      return { result: {} };
    });
  },
});

function requireSite({ twoFactor: { passkeySite } }: SessionContext): PasskeySite {
  if (passkeySite !== undefined) return passkeySite;
  throw invalidRequest(
    errorCodes.sessions.noPasskeys,
    "Browsers have passkeys only for host names and over HTTPS: the operator sets `public_url`",
  );
}
