import { isDeepStrictEqual } from "node:util";

import { userRead, userWrite } from "../../operation/user.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { toProfile } from "./profile.ts";
import { EditUserBody, User } from "./schema.ts";
import { describeUser, knownUser } from "./users.ts";

export const getUser = userRead({
  name: "getUser",
  summary: "Get the calling user",
  path: "/user",
  permission: "User Details Read",
  result: User,
  run: ({ db, user, caller }) => describeUser(db, user.id, caller.accountIds),
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
  run: async ({ tx, user: { id }, caller, now, audit }, { body }) => {
    const row = await knownUser(tx, id);
    const [before, after] = [toProfile(row), toProfile({ ...row, ...toProfile(body) })];
    if (!isDeepStrictEqual(before, after)) {
      await updateRow(tx, "users", id, { ...after, modified_on: toTimestamp(now) });
      audit({ action: "user_edit", resource: { type: "user", id }, before, after });
    }
    return describeUser(tx, id, caller.accountIds);
  },
});
