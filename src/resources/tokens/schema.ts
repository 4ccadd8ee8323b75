import { Type, type Static } from "@sinclair/typebox";

/** What a token learns of itself. */
export const TokenVerification = Type.Object({
  id: Type.String({ description: "Identifier of the token, 32 hexadecimal characters." }),
  status: Type.Union([Type.Literal("active"), Type.Literal("disabled"), Type.Literal("expired")]),
});
export type TokenVerification = Static<typeof TokenVerification>;
