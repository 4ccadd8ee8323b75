import { Type, type Static } from "@sinclair/typebox";

import { Nullable } from "../../operation/schema.ts";

/** The ways to sign in besides e-mail and password. */
export const SignInMethods = Type.Object({
  single_sign_on: Nullable(
    Type.Object(
      { label: Type.String({ description: "What the button says." }) },
      {
        description: "Null where the settings name no provider.",
      },
    ),
  ),
});
export type SignInMethods = Static<typeof SignInMethods>;

export const StartedSignOn = Type.Object({
  url: Type.String({ description: "Where the browser goes, at the provider." }),
  secret: Type.String({ description: "Kept by the browser until it comes back." }),
});
export type StartedSignOn = Static<typeof StartedSignOn>;

export const FinishSignOnBody = Type.Object({
  secret: Type.String({ minLength: 43, maxLength: 43 }),
  url: Type.String({ maxLength: 8192, description: "Where the provider sent the browser back to." }),
});
export type FinishSignOnBody = Static<typeof FinishSignOnBody>;
