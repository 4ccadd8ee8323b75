import type { Route } from "../../http/route.ts";
import { sessionRoute } from "../../http/routes-without-caller.ts";
import {
  ApiKey,
  ApiKeyBody,
  ChangePasswordBody,
  FirstSignInBody,
  Nothing,
  Session,
  SignInBody,
} from "./schema.ts";
import type { SessionContext } from "./session.ts";
import {
  changeApiKey,
  changePassword,
  getSession,
  setFirstPassword,
  signIn,
  signOut,
  viewApiKey,
} from "./sessions.ts";

export function sessionRoutes(context: SessionContext): Route[] {
  return [
    sessionRoute({
      operation: "signIn",
      summary: "Sign in to the dashboard; the session is a cookie",
      method: "POST",
      path: "/session",
      needsSession: false,
      body: SignInBody,
      result: Session,
      handle: async ({ browser, body }) => {
        const { session, ...cookies } = await signIn(context, browser, body);
        return { result: session, ...cookies };
      },
    }),
    sessionRoute({
      operation: "getSession",
      summary: "Get the signed-in user",
      method: "GET",
      path: "/session",
      needsSession: true,
      result: Session,
      handle: async ({ browser }) => ({ result: await getSession(context, browser) }),
    }),
    sessionRoute({
      operation: "signOut",
      summary: "End the session",
      method: "DELETE",
      path: "/session",
      needsSession: false,
      result: Nothing,
      handle: async ({ browser }) => {
        await signOut(context, browser);
        return { result: {}, cookie: "none" };
      },
    }),
    sessionRoute({
      operation: "setFirstPassword",
      summary: "Set the password of a one-time link's user, and sign in",
      method: "POST",
      path: "/session/first",
      needsSession: false,
      body: FirstSignInBody,
      result: Session,
      handle: async ({ browser, body }) => {
        const { session, ...cookies } = await setFirstPassword(context, browser, body);
        return { result: session, ...cookies };
      },
    }),
    sessionRoute({
      operation: "changePassword",
      summary: "Change the password, which ends the user's other sessions",
      method: "POST",
      path: "/session/password",
      needsSession: true,
      body: ChangePasswordBody,
      result: Session,
      handle: async ({ browser, body }) => ({ result: await changePassword(context, browser, body) }),
    }),
    sessionRoute({
      operation: "viewApiKey",
      summary: "View the Global API Key, if it was changed since it was created",
      method: "POST",
      path: "/session/api_key/view",
      needsSession: true,
      body: ApiKeyBody,
      result: ApiKey,
      handle: async ({ browser, body }) => ({ result: await viewApiKey(context, browser, body) }),
    }),
    sessionRoute({
      operation: "changeApiKey",
      summary: "Change the Global API Key; the previous one stops working",
      method: "POST",
      path: "/session/api_key/change",
      needsSession: true,
      body: ApiKeyBody,
      result: ApiKey,
      handle: async ({ browser, body }) => ({ result: await changeApiKey(context, browser, body) }),
    }),
  ];
}
