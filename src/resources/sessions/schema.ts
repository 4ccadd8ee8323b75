import { Type, type Static } from "@sinclair/typebox";

import { Nullable } from "../../operation/schema.ts";
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
  id: Type.Optional(
    Type.String({ pattern: "^[0-9a-f]{32}$", description: "One of them; all others without it." }),
  ),
});
export type EndSessionsBody = Static<typeof EndSessionsBody>;

export const EndedSessions = Type.Object({ ended: Type.Integer({ description: "How many have ended." }) });

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
