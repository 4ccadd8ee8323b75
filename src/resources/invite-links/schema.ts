import { Type, type Static } from "@sinclair/typebox";

import { Nullable } from "../../operation/schema.ts";
import { newPassword } from "../sessions/sessions.ts";

export const InviteLink = Type.Object({
  token: Type.String({
    description: "Of `/invite#TOKEN` in the dashboard. In clear only this once; the one before is of no use.",
  }),
  expires_on: Type.String({ format: "date-time", description: "With the invite." }),
});
export type InviteLink = Static<typeof InviteLink>;

const token = Type.String({ maxLength: 256, description: "The part after the `#` in the link." });

export const OpenInviteBody = Type.Object({ token });
export type OpenInviteBody = Static<typeof OpenInviteBody>;

/** An invite as whoever has its link sees it. */
export const OpenInvite = Type.Object({
  email: Type.String({ description: "What the user will sign in with, in lower case." }),
  account_name: Type.String(),
  invited_by: Nullable(Type.String()),
  expires_on: Type.String({ format: "date-time" }),
});
export type OpenInvite = Static<typeof OpenInvite>;

export const JoinBody = Type.Object({ token, password: newPassword });
export type JoinBody = Static<typeof JoinBody>;
