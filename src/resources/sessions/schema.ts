import { Type, type Static } from "@sinclair/typebox";

import { Identifier, Line, Nullable, OneOf } from "../../operation/schema.ts";
import { passwordLength } from "./passwords.ts";

/** The user who is signed in. */
export const Session = Type.Object({
  user: Type.Object({ id: Type.String(), email: Type.String() }),
  expires_on: Type.String({
    format: "date-time",
    description: "When it ends at the latest; it ends sooner where it is not used.",
  }),
  needs_second_factor: Type.Boolean({
    description: "Whether nothing but setting up a second factor is permitted yet.",
  }),
});
export type Session = Static<typeof Session>;

const recoveryCodes = Type.Array(Type.String(), {
  description: "In clear, only this once. Each stands in for the second factor once.",
});

/** The second step of a sign-in, after the right password of a user who has a second factor. */
export const SecondFactorStep = Type.Object({
  second_factor: Type.Object({
    token: Type.String({ description: "For `POST /session/second_factor`, within ten minutes." }),
    methods: Type.Array(OneOf(["passkey", "totp", "recovery_code"])),
    passkey_options: Nullable(
      Type.Object({}, { description: "What `navigator.credentials.get` takes, as JSON." }),
    ),
  }),
});
export type SecondFactorStep = Static<typeof SecondFactorStep>;

export const SignedIn = Type.Union([Session, SecondFactorStep]);

const credential = Type.Record(Type.String(), Type.Unknown(), {
  description: "A `PublicKeyCredential` of the browser, as its `toJSON` gives it.",
});

export const SecondFactorBody = Type.Object({
  token: Type.String({ maxLength: 256 }),
  code: Type.Optional(Type.String({ maxLength: 64, description: "Of an authenticator app." })),
  recovery_code: Type.Optional(Type.String({ maxLength: 64 })),
  passkey: Type.Optional(credential),
});
export type SecondFactorBody = Static<typeof SecondFactorBody>;

/** A WebAuthn credential of the signed-in user. */
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  site: Type.String({ description: "The host name that it is for." }),
  created_on: Type.String({ format: "date-time" }),
  last_used_on: Nullable(Type.String({ format: "date-time" })),
});
export type Passkey = Static<typeof Passkey>;

/** The second factors of the signed-in user. */
export const TwoFactor = Type.Object({
  enabled: Type.Boolean({ description: "Whether signing in takes a second factor." }),
  locked: Type.Boolean({ description: "Whether the server or an account requires one." }),
  totp: Type.Boolean({ description: "Whether there is an authenticator app." }),
  passkeys: Type.Array(Passkey),
  recovery_codes: Type.Integer({ description: "How many are left." }),
  passkey_origin: Nullable(
    Type.String({ description: "The address at which browsers have passkeys of this server." }),
  ),
});
export type TwoFactor = Static<typeof TwoFactor>;

export const TotpSecret = Type.Object({
  secret: Type.String({ description: "In base32." }),
  uri: Type.String({ description: "What a QR code of it says." }),
});
export type TotpSecret = Static<typeof TotpSecret>;

/** Null where there were recovery codes before. */
export const AddedFactor = Type.Object({ recovery_codes: Nullable(recoveryCodes) });
export type AddedFactor = Static<typeof AddedFactor>;

export const RecoveryCodes = Type.Object({ recovery_codes: recoveryCodes });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const NewPasskey = Type.Object({
  token: Type.String({ description: "For `POST /session/two_factor/passkeys`, within ten minutes." }),
  options: Type.Object({}, { description: "What `navigator.credentials.create` takes, as JSON." }),
});
export type NewPasskey = Static<typeof NewPasskey>;

export const ConfirmTotpBody = Type.Object({ code: Type.String({ maxLength: 64 }) });
export type ConfirmTotpBody = Static<typeof ConfirmTotpBody>;

export const AddPasskeyBody = Type.Object({
  token: Type.String({ maxLength: 256 }),
  name: Line({ maxLength: 100 }),
  passkey: credential,
});
export type AddPasskeyBody = Static<typeof AddPasskeyBody>;

/** One of the sessions of the signed-in user. */
export const OwnSession = Type.Object({
  id: Type.String({ description: "32 hexadecimal characters; nobody can sign in by it." }),
  is_current: Type.Boolean({ description: "Whether it is the session of this request." }),
  address: Nullable(Type.String({ description: "Where it began; null where that is not known." })),
  started_on: Nullable(Type.String({ format: "date-time" })),
  used_on: Type.String({ format: "date-time" }),
  expires_on: Type.String({ format: "date-time" }),
});
export type OwnSession = Static<typeof OwnSession>;

export const EndSessionsBody = Type.Object({
  id: Type.Optional(Identifier({ description: "One of them; all others without it." })),
});
export type EndSessionsBody = Static<typeof EndSessionsBody>;

export const EndedSessions = Type.Object({ ended: Type.Integer({ description: "How many have ended." }) });

const password = Type.String({ maxLength: passwordLength.max });
export const newPassword = Type.String({
  maxLength: passwordLength.max,
  description: `At least ${passwordLength.min} characters.`,
});

export const SignInBody = Type.Object({ email: Type.String({ maxLength: 512 }), password });
export type SignInBody = Static<typeof SignInBody>;

export const FirstSignInBody = Type.Object({
  token: Type.String({
    maxLength: 256,
    description: "The part after the `#` in the address of the one-time link.",
  }),
  password: newPassword,
});
export type FirstSignInBody = Static<typeof FirstSignInBody>;

export const ChangePasswordBody = Type.Object({ current_password: password, new_password: newPassword });
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

/** The password once more. */
export const OwnPasswordBody = Type.Object({ password });
export type OwnPasswordBody = Static<typeof OwnPasswordBody>;

export const RemovePasskeyBody = Type.Object({ password, id: Identifier() });
export type RemovePasskeyBody = Static<typeof RemovePasskeyBody>;

/** In clear. */
export const ApiKey = Type.Object({ api_key: Type.String() });
export type ApiKey = Static<typeof ApiKey>;

export const Nothing = Type.Object({});
