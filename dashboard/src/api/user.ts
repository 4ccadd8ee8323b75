import type { ApiCall } from "./call.ts";

/** The signed-in user. */
export const userCall: ApiCall<{ readonly id: string; readonly email: string }> = {
  method: "GET",
  path: "/user",
};
