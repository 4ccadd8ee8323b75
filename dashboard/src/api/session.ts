import { queryOptions } from "@tanstack/react-query";

import { ApiError } from "./api-error.ts";
import type { OwnSession, SecondFactorStep, Session } from "../../../src/resources/sessions/schema.ts";
import type { OpenInvite } from "../../../src/resources/invite-links/schema.ts";
import type { SignInMethods, StartedSignOn } from "../../../src/resources/single-sign-on/schema.ts";
import type { PasskeyAnswer } from "./passkeys.ts";
import { exchange, type Answer } from "./send.ts";

export type { OwnSession, Session };

/** What is asked for after the right password. */
export type SecondFactor = SecondFactorStep["second_factor"];

/** A session, or the second step of signing in. */
export type SignedIn = Session | SecondFactorStep;

/** The session of this browser; fails with `ApiError` where there is none. */
export const sessionQuery = queryOptions<Session, ApiError>({
  queryKey: ["session"],
  queryFn: async ({ signal }) => (await exchange<Session>("GET", "/session", { signal })).result,
  staleTime: 60_000,
});

interface SessionEnd {
  /** Whether the session ended while the dashboard was open, and nobody has signed in again. */
  readonly hasEnded: boolean;
  /** What failed for that, and may be tried again once somebody has. */
  readonly refusals: readonly Error[];
}

export const sessionEndQuery = queryOptions<SessionEnd>({
  queryKey: ["session-end"],
  queryFn: () => ({ hasEnded: false, refusals: [] }),
  staleTime: Infinity,
});

/** The sessions of the signed-in user. */
export const ownSessionsQuery = queryOptions<Answer<readonly OwnSession[]>, ApiError>({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => exchange<readonly OwnSession[]>("GET", "/session/all", { signal }),
});

const post = async <Result>(url: string, body: object): Promise<Result> =>
  (await exchange<Result>("POST", url, { body: JSON.stringify(body) })).result;

export const signIn = (email: string, password: string): Promise<SignedIn> =>
  post("/session", { email, password });

/** How users can sign in besides e-mail and password. */
export const signInMethodsQuery = queryOptions<SignInMethods, ApiError>({
  queryKey: ["sign-in-methods"],
  queryFn: async ({ signal }) =>
    (await exchange<SignInMethods>("GET", "/session/methods", { signal })).result,
  staleTime: Infinity,
});

export const startSingleSignOn = async (): Promise<StartedSignOn> =>
  (await exchange<StartedSignOn>("POST", "/session/single_sign_on")).result;

/** `url` is where the provider sent the browser back to. */
export const finishSingleSignOn = (secret: string, url: string): Promise<Session> =>
  post("/session/single_sign_on/finish", { secret, url });

/** What proves the second factor. */
export type Proof =
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly passkey: PasskeyAnswer };

/** `token` is of the second step. */
export const passSecondFactor = (token: string, proof: Proof): Promise<Session> =>
  post("/session/second_factor", { token, ...proof });

/** The first sign-in: `token` is of the one-time link, `password` the one to sign in with from now on. */
export const signInFirst = (token: string, password: string): Promise<SignedIn> =>
  post("/session/first", { token, password });

/** The invite that a link is for; `token` is of the link. */
export const openInviteQuery = (token: string) =>
  queryOptions<OpenInvite, ApiError>({
    queryKey: ["open-invite", token],
    queryFn: () => post("/session/invite", { token }),
    retry: false,
    staleTime: Infinity,
  });

/** Becomes a user and a member by the link of an invite. */
export const joinByInvite = (token: string, password: string): Promise<Session> =>
  post("/session/invite/join", { token, password });

/** Ends one other session, or all of them. */
export const endOtherSessions = (id: string | undefined): Promise<{ readonly ended: number }> =>
  post("/session/end_others", id === undefined ? {} : { id });

export const signOut = (): Promise<unknown> => exchange("DELETE", "/session");

/** Whether a failure says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  post("/session/password", { current_password: currentPassword, new_password: newPassword });

/** Answers the Global API Key; `change` makes another one first, and the one before is of no use from then on. */
export const revealApiKey = (
  operation: "view" | "change",
  password: string,
): Promise<{ readonly api_key: string }> => post(`/session/api_key/${operation}`, { password });
