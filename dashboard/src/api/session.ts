import { queryOptions } from "@tanstack/react-query";

import type { SecondFactorStep, Session } from "../../../src/resources/sessions/schema.ts";
import { ApiError } from "./api-error.ts";
import { call, type ApiCall, type ResultOf } from "./call.ts";
import { send } from "./send.ts";

/** Asked for after the right password. */
export type SecondFactor = SecondFactorStep["second_factor"];

/** A session, or the second step of signing in. */
export type SignedIn = ResultOf<"signIn">;

export const resultOf = async <Result>(request: ApiCall<Result>, signal?: AbortSignal): Promise<Result> =>
  (await send(request, signal)).result;

/** The session of this browser; fails with `ApiError` where there is none. */
export const sessionQuery = queryOptions<Session, ApiError>({
  queryKey: ["session"],
  queryFn: ({ signal }) => resultOf(call("getSession", {}), signal),
  staleTime: 60_000,
});

interface SessionEnd {
  /** Whether the session ended while the dashboard was open, and nobody has signed in again. */
  readonly hasEnded: boolean;
  /** Failures for that reason, which can be tried again after a sign-in. */
  readonly refusals: readonly Error[];
}

export const sessionEndQuery = queryOptions<SessionEnd>({
  queryKey: ["session-end"],
  queryFn: () => ({ hasEnded: false, refusals: [] }),
  staleTime: Infinity,
});

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** Ways to sign in besides e-mail and password. */
export const signInMethodsQuery = queryOptions<ResultOf<"getSignInMethods">, ApiError>({
  queryKey: ["sign-in-methods"],
  queryFn: ({ signal }) => resultOf(call("getSignInMethods", {}), signal),
  staleTime: Infinity,
});

export const signIn = (email: string, password: string): Promise<SignedIn> =>
  resultOf(call("signIn", {}, { email, password }));

/** Proves the second factor. */
export type Proof =
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly passkey: PasskeyAnswer };

/** Makes a passkey in this browser and adds it. */
export async function addPasskey(password: string, name: string): Promise<ResultOf<"addOwnPasskey">> {
  const { token, options } = await resultOf(call("startOwnPasskey", {}, { password }));
  return resultOf(call("addOwnPasskey", {}, { token, name, passkey: await createPasskey(options) }));
}

/** A browser's statement of a passkey, for the server to check. */
type PasskeyAnswer = Readonly<Record<string, unknown>>;

/** Makes a passkey in this browser. Throws `ApiError`, also where the user did not want to. */
async function createPasskey(options: object): Promise<PasskeyAnswer> {
  return asJson(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
}

/** Has a passkey of this browser sign. Throws as `createPasskey` does. */
export async function getPasskey(options: object): Promise<PasskeyAnswer> {
  return asJson(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

async function asJson(ask: () => Promise<Credential | null>): Promise<PasskeyAnswer> {
  if (!("PublicKeyCredential" in window)) throw failure("This browser has no passkeys at this address.");
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return { ...credential.toJSON() };
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
    throw failure(
      isKnown ? "This device already has a passkey of yours." : "The browser did not give a passkey.",
    );
  }
  throw failure("The browser did not give a passkey.");
}

const failure = (message: string): ApiError => new ApiError(0, [{ code: 0, message }]);
