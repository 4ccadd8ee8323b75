import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import { newSessionSecret } from "../../secrets/secrets.ts";
import { changeAccess, endSessionOf, Session, startSession } from "../sessions/sessions.ts";
import { findOwner } from "../users/users.ts";
import { assignRoles } from "../memberships/memberships.ts";
import { identityIn, rolesIn } from "./claims.ts";
import { FinishSignOnBody, SignInMethods, StartedSignOn } from "./schema.ts";
import { userOf, type SingleSignOn, type SingleSignOnContext } from "./single-sign-on.ts";

export const getSignInMethods = sessionOperation({
  name: "getSignInMethods",
  summary: "Get how users can sign in besides e-mail and password",
  method: "GET",
  path: "/session/methods",
  needsSession: false,
  result: SignInMethods,
  run: async ({ context: { singleSignOn } }: SessionWork<SingleSignOnContext>) => ({
    result: { single_sign_on: singleSignOn === undefined ? null : { label: singleSignOn.label } },
  }),
});

/** Errors: 400 code 10425 without a provider, 503 code 10426 for one that cannot be reached. */
export const startSingleSignOn = sessionOperation({
  name: "startSingleSignOn",
  summary: "Begin to sign in with the OpenID Connect provider",
  method: "POST",
  path: "/session/single_sign_on",
  needsSession: false,
  result: StartedSignOn,
  run: async ({ context }: SessionWork<SingleSignOnContext>) => {
    const { provider } = requireProvider(context);
    const secret = newSessionSecret();
    const url = await provider.authorizationUrl(secret).catch((error: unknown) => {
      throw new AppError(
        "unavailable",
        errorCodes.sessions.providerUnavailable,
        "The provider of single sign-on cannot be reached",
        { cause: error },
      );
    });
    return { result: { url, secret } };
  },
});

/**
 * Starts a session for the user of the verified e-mail address, who is created where the settings say so.
 * Errors: 400 code 10425 without a provider; 403 code 10427 for an answer that is not the provider's to this
 * browser, 403 code 10428 for somebody who may not come in.
 */
export const finishSingleSignOn = sessionOperation({
  name: "finishSingleSignOn",
  summary: "Sign in with what the OpenID Connect provider says",
  method: "POST",
  path: "/session/single_sign_on/finish",
  needsSession: false,
  body: FinishSignOnBody,
  result: Session,
  run: async ({ context, browser }: SessionWork<SingleSignOnContext>, { body: { secret, url } }) => {
    const singleSignOn = requireProvider(context);
    const claims = await singleSignOn.provider.claims(secret, url).catch((error: unknown) => {
      throw new AppError(
        "forbidden",
        errorCodes.sessions.signOnFailed,
        "The provider did not sign you in: begin again",
        { cause: error },
      );
    });
    const email = identityIn(claims);
    const roleIds = rolesIn(claims, singleSignOn);
    const user = await userOf(context, singleSignOn, { email, roleIds });
    const isOwner = (await findOwner(context.db.read))?.id === user.id;
    return changeAccess(context, browser, user, async (work) => {
      const { tx, audit } = work;
      if (roleIds !== undefined && !isOwner) {
        const { accountId } = singleSignOn;
        await assignRoles({ ...work, context, audit: work.auditOther }, { accountId, user, roleIds });
      }
      await endSessionOf(tx, browser);
      const started = await startSession(context, tx, user, { ...browser, byProvider: true });
      audit("single_sign_on");
      return started;
    });
  },
});

function requireProvider({ singleSignOn }: SingleSignOnContext): SingleSignOn {
  if (singleSignOn !== undefined) return singleSignOn;
  throw new AppError(
    "invalid",
    errorCodes.sessions.noProvider,
    "This server has no single sign-on: its operator sets `oidc_issuer`",
  );
}
