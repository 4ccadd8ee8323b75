import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import {
  confirmTotp,
  factorAdded,
  factorRemoved,
  findFactors,
  isTwoFactorLocked,
  replaceRecoveryCodes,
  startTotp,
} from "../two-factor/two-factor.ts";
import { knownUser } from "../users/users.ts";
import { deleteRows } from "../../storage/rows.ts";
import { reauthenticate } from "./own-password.ts";
import {
  AddedFactor,
  ConfirmTotpBody,
  Nothing,
  OwnPasswordBody,
  RecoveryCodes,
  TotpSecret,
  TwoFactor,
} from "./schema.ts";
import { factorMissing, wrongFactor } from "./second-factor.ts";
import { changeAccess, requireSession, type SessionContext } from "./session.ts";

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

/** It counts once it is confirmed. Errors: 401 code 10401, 403 code 10411, 429 code 10429, 400 code 10422. */
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

/** Errors: 401 code 10401, 403 code 10411, 429 code 10429, 400 code 10423 for a user without a second factor. */
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
