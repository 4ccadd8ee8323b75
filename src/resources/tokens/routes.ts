import { credentialsRoute, type Route } from "../../http/route.ts";
import type { Context } from "../context.ts";
import { TokenVerification } from "./schema.ts";
import { verifyToken } from "./tokens.ts";

export function tokenRoutes(context: Context): Route[] {
  return [
    credentialsRoute({
      operation: "verifyToken",
      summary: "Check the token that the request carries",
      path: "/user/tokens/verify",
      result: TokenVerification,
      handle: async ({ credentials }) => ({
        result: await verifyToken(context, credentials.token),
        messages: [{ code: 10000, message: "This API Token is valid and active" }],
      }),
    }),
  ];
}
