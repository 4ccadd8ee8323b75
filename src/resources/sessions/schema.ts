import { Type, type Static } from "@sinclair/typebox";

import { passwordLength } from "./passwords.ts";

/** The user who is signed in. */
export const Session = Type.Object({
  user: Type.Object({ id: Type.String(), email: Type.String() }),
  expires_on: Type.String({
    format: "date-time",
    description: "When it ends at the latest; it ends sooner where it is not used.",
  }),
});
export type Session = Static<typeof Session>;

const password = Type.String({ maxLength: passwordLength.max });
const newPassword = Type.String({
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

export const ApiKeyBody = Type.Object({ password });
export type ApiKeyBody = Static<typeof ApiKeyBody>;

/** In clear. */
export const ApiKey = Type.Object({ api_key: Type.String() });
export type ApiKey = Static<typeof ApiKey>;

export const Nothing = Type.Object({});
