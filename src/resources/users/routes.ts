import { onUser } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { EditUserBody, User } from "./schema.ts";
import { editUser, getUser } from "./users.ts";

export function userRoutes(context: Context): Route[] {
  return [
    route({
      operation: "getUser",
      summary: "Get the calling user",
      method: "GET",
      path: "/user",
      permission: onUser("User Details Read"),
      result: User,
      handle: async ({ caller }) => ({ result: await getUser(context, caller) }),
    }),
    route({
      operation: "editUser",
      summary: "Change the profile of the calling user",
      method: "PATCH",
      path: "/user",
      permission: onUser("User Details Write"),
      body: EditUserBody,
      result: User,
      handle: async ({ caller, body }) => ({ result: await editUser(context, caller, body) }),
    }),
  ];
}
