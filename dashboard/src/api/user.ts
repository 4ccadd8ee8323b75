import type { EditUserBody, User } from "../../../src/resources/users/schema.ts";
import type { ApiCall } from "./call.ts";

export type { User };

/** The signed-in user. */
export const userCall: ApiCall<User> = { method: "GET", path: "/user" };

export const editUser = (body: EditUserBody): ApiCall<User> => ({ method: "PATCH", path: "/user", body });
