import { isDeepStrictEqual } from "node:util";

import type { Context } from "../../operation/context.ts";
import { userRead, userWrite, type UserRead, type UserWrite } from "../../operation/scope.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { TwoFactorTerms } from "../two-factor/two-factor.ts";
import { toProfile } from "./create-user.ts";
import { EditUserBody, User } from "./schema.ts";
import { describeUser, knownUser } from "./users.ts";

export interface UserContext extends Context {
  readonly twoFactor: TwoFactorTerms;
}

export const getUser = userRead({
  name: "getUser",
  summary: "Get the calling user",
  path: "/user",
  permission: "User Details Read",
  result: User,
  run: ({ db, user, caller, context: { twoFactor } }: UserRead<UserContext>) =>
    describeUser(db, user.id, { accountIds: caller.accountIds, twoFactor }),
});

/** Omitted fields keep their values. */
export const editUser = userWrite({
  name: "editUser",
  summary: "Change the profile of the calling user",
  method: "PATCH",
  path: "/user",
  permission: "User Details Write",
  body: EditUserBody,
  result: User,
  run: async ({ tx, user: { id }, caller, context, now, audit }: UserWrite<UserContext>, { body }) => {
    const row = await knownUser(tx, id);
    const [before, after] = [toProfile(row), toProfile({ ...row, ...toProfile(body) })];
    if (!isDeepStrictEqual(before, after)) {
      await updateRow(tx, "users", id, { ...after, modified_on: toTimestamp(now) });
      audit({ action: "user_edit", id, before, after });
    }
    return describeUser(tx, id, { accountIds: caller.accountIds, twoFactor: context.twoFactor });
  },
});
