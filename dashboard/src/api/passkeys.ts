import { ApiError } from "./api-error.ts";

/** What a browser says of a passkey, for the server to check. */
export type PasskeyAnswer = AuthenticationResponseJSON | RegistrationResponseJSON;

/** Makes a passkey in this browser. Throws `ApiError`, also where the user did not want to. */
export async function createPasskey(options: object): Promise<PasskeyAnswer> {
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
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
    throw failure(
      isKnown ? "This device already has a passkey of yours." : "The browser did not give a passkey.",
    );
  }
  throw failure("The browser did not give a passkey.");
}

const failure = (message: string): ApiError => new ApiError(0, [{ code: 0, message }]);
